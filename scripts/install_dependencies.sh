#!/usr/bin/env bash
# Installs what is missing on Debian 12 or Ubuntu 24.04, by apt only.
#   scripts/install_dependencies.sh program   to build and run the program (default)
#   scripts/install_dependencies.sh tests     and to run the tests and benchmarks
#   scripts/install_dependencies.sh check     and clang-format, clang-tidy, qemu-user, for the full check
set -euo pipefail

program="g++ cmake ninja-build libtbb-dev libeigen3-dev libcli11-dev zlib1g-dev wamerican unicode-data"
optional="libhwy-dev libips4o-dev"  # sorts to compare with: installed along with the rest, where apt knows them
tests="libgtest-dev libgmock-dev libbenchmark-dev librapidcheck-dev"
case "${1:-program}" in
  program) wanted="$program" ;;
  tests) wanted="$program $tests" ;;
  check) wanted="$program $tests git clang-format clang-tidy qemu-user" ;;
  *) echo "usage: $0 [program|tests|check]" >&2; exit 64 ;;
esac

missing=""
for package in $wanted; do
  dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || missing="$missing $package"
done
if [ -z "$missing" ]; then exit 0; fi

as_root=""
if [ "$(id -u)" != 0 ]; then
  command -v sudo >/dev/null || { echo "needs root to install:$missing" >&2; exit 77; }
  as_root="sudo"
fi
echo "Installing with apt:$missing"
$as_root apt-get update -qq
for package in $optional; do
  if apt-cache show "$package" >/dev/null 2>&1; then missing="$missing $package"; fi
done
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing </dev/null >/dev/null
