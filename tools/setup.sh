# Functions shared by quickstart.sh and check.sh; to be sourced, not run.
# shellcheck shell=bash

ENSC_ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
ENSC_LLVM=/usr/lib/llvm-22
ENSC_VENV=$ENSC_ROOT/.venv

ENSC_PACKAGES=(
  libmlir-22-dev mlir-22-tools llvm-22-dev llvm-22-tools clang-22 lld-22
  libclang-rt-22-dev clang-format-22 cmake ninja-build ccache
  libtbb-dev nlohmann-json3-dev zlib1g-dev
  libgtest-dev libmpfr-dev node-d3 python3 python3-venv python3-psutil
  shellcheck
)
# What single tests need, which are left out where it is missing.
ENSC_TEST_PACKAGES=(chromium)
ENSC_PYTHON_PACKAGES=(numpy optuna pandas safetensors tensorboard)

say() { printf '%s\n' "$*"; }

fail() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

# Answers --help with the comment at the head of the script.
take_no_arguments() {
  [ $# -gt 0 ] || return 0
  case $1 in
  -h | --help)
    sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"
    exit 0
    ;;
  esac
  fail "unknown argument '$1'; ${0##*/} takes none but --help"
}

# Runs a command as root, or says how a person can.
as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    fail "this needs root, and there is no sudo; as root, run: $*"
  fi
}

is_installed() {
  [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# Whether apt's lists offer the package.
is_offered() {
  apt-cache policy "$1" 2>/dev/null | grep -q 'Candidate: [^(]'
}

# Installs what is missing of the arguments; quiet when nothing is.
install_missing() {
  command -v apt-get >/dev/null ||
    fail "ensc's set-up needs Debian's apt; install LLVM and MLIR 22 and the" \
      "counterparts of: $*"
  local package missing=() unknown=()
  for package in "$@"; do
    is_installed "$package" || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0

  say "installing with apt-get: ${missing[*]}"
  export DEBIAN_FRONTEND=noninteractive
  as_root apt-get update -qq
  for package in "${missing[@]}"; do
    is_offered "$package" || unknown+=("$package")
  done
  [ ${#unknown[@]} -eq 0 ] ||
    fail "apt does not offer ${unknown[*]}; Debian 12 has them in" \
      "bookworm/main and bookworm-security/main, so check the suites in" \
      "/etc/apt/sources.list.d"
  as_root apt-get install -y -qq --no-install-recommends "${missing[@]}"
}

install_packages() {
  install_missing "${ENSC_PACKAGES[@]}"
}

install_test_packages() {
  install_missing "${ENSC_PACKAGES[@]}" "${ENSC_TEST_PACKAGES[@]}"
}

# Makes the private environment with what the Python tests import.
install_python_packages() {
  local package missing=()
  for package in "${ENSC_PYTHON_PACKAGES[@]}"; do
    "$ENSC_VENV/bin/python" -c "import $package" 2>/dev/null ||
      missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  say "installing with pip into $ENSC_VENV: ${missing[*]}"
  [ -x "$ENSC_VENV/bin/python" ] || python3 -m venv "$ENSC_VENV"
  "$ENSC_VENV/bin/pip" install --quiet --disable-pip-version-check \
    "${missing[@]}"
}

# configure DIRECTORY [CMake arguments]: quiet where it has been done before.
configure() {
  local directory=$1 log=$1/configure.log launcher=()
  shift
  # Without these, ccache refuses compilations with a precompiled header.
  export CCACHE_SLOPPINESS=pch_defines,time_macros
  CCACHE_SLOPPINESS+=,include_file_mtime,include_file_ctime
  [ ! -f "$directory/build.ninja" ] || return 0
  if command -v ccache >/dev/null && [ -z "${ENSC_NO_CCACHE:-}" ]; then
    launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
  fi
  say "configuring $directory"
  mkdir -p "$directory"
  cmake -G Ninja -S "$ENSC_ROOT" -B "$directory" \
    -DCMAKE_C_COMPILER="$ENSC_LLVM/bin/clang" \
    -DCMAKE_CXX_COMPILER="$ENSC_LLVM/bin/clang++" \
    -DMLIR_DIR="$ENSC_LLVM/lib/cmake/mlir" \
    -DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=lld \
    -DCMAKE_SHARED_LINKER_FLAGS=-fuse-ld=lld \
    "-DCMAKE_CXX_FLAGS=-Xclang -fno-pch-timestamp" \
    "${launcher[@]}" "$@" >"$log" 2>&1 ||
    { cat "$log" >&2 && fail "configuring $directory failed"; }
}

# Shows ninja's count in one line of a terminal, and nothing elsewhere.
show_progress() {
  local line
  while IFS= read -r line; do
    if [ -t 1 ] && [[ $line == \[* ]]; then printf '\r\033[K%.79s' "$line"; fi
  done
  if [ -t 1 ]; then printf '\r\033[K'; fi
}

# build DIRECTORY [TARGET...]: quiet where everything is up to date.
build() {
  local directory=$1 log=$1/build.log
  shift
  if ninja -C "$directory" -n "$@" | grep -q 'no work to do'; then
    return 0
  fi
  say "building $directory ${*:-} (log: $log)"
  ninja -C "$directory" "$@" 2>&1 | tee "$log" | show_progress ||
    { grep -v '^\[' "$log" >&2 && fail "building $directory failed"; }
}
