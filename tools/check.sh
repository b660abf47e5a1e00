#!/usr/bin/env bash
# Builds what is missing, installing it first, and runs every test: lit,
# GoogleTest and Python, then the tests without LLVM under sanitizers. Prints
# how the build and the tests kept to their budgets, and ends with a line
# "N passed, M failed". Arguments: none, or --help.
set -euo pipefail
# shellcheck source=tools/setup.sh
. "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
take_no_arguments "$@"
cd "$ENSC_ROOT"

cores=$(nproc)
results=build/test-results
sanitized_results=build-sanitize/test-results

install_test_packages
install_python_packages

started=$SECONDS
configure build -DCMAKE_BUILD_TYPE=Release
build build
build_seconds=$((SECONDS - started))

configure build-sanitize -DCMAKE_BUILD_TYPE=RelWithDebInfo \
  -DENSC_SANITIZER=address,undefined
build build-sanitize llvm-free-unittests

# run_ctest BUILD RESULTS [ctest arguments]: a report per test program.
run_ctest() {
  local directory=$1 reports=$2
  shift 2
  rm -rf "$reports"
  mkdir -p "$reports"
  GTEST_OUTPUT="xml:$ENSC_ROOT/$reports/" \
    LIT_OPTS="--xunit-xml-output=$ENSC_ROOT/$reports/lit.xml" \
    ctest --test-dir "$directory" --output-on-failure --no-tests=error \
    --output-junit "$ENSC_ROOT/$reports/ctest.junit" -j "$cores" "$@"
}

started=$SECONDS
status=0
run_ctest build "$results" || status=1
UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 \
  run_ctest build-sanitize "$sanitized_results" -L llvm-free || status=1
test_seconds=$((SECONDS - started))

# It prints the closing line, so nothing may follow it.
python3 tools/summarize-tests.py --build-seconds "$build_seconds" \
  --test-seconds "$test_seconds" --lit "$ENSC_LLVM/bin/lit" \
  --lit-suite build/test "$results" "$sanitized_results" || status=1
exit "$status"
