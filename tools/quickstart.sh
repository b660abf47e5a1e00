#!/usr/bin/env bash
# From a fresh Debian 12 to 64 trained networks: installs what is missing,
# builds ensc into build/ (log: build/build.log), trains the digits ensemble and
# prints its leaderboard. Arguments: none, or --help.
set -euo pipefail
# shellcheck source=tools/setup.sh
. "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
take_no_arguments "$@"
cd "$ENSC_ROOT"

install_packages
configure build -DCMAKE_BUILD_TYPE=Release
build build ensc

mkdir -p experiments
experiment=$(mktemp -d experiments/digits-XXXX)
command=(build/bin/ensc train docs/examples/digits.mlir
  --data docs/examples/data/digits.npz --runs=64
  --set lr=log:1e-4..1e-1 --epochs=30 -o "$experiment")
say "${command[*]}"
exec "${command[@]}"
