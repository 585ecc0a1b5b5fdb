#!/bin/sh
# Check for what `make` cannot install itself; if anything is missing, say in one line how to get it.
#   tools/check_prerequisites.sh [PYTHON]
python=${1:-python3}
missing='' debian='' fedora='' macos=''

need() {  # NAME DEBIAN FEDORA MACOS: what is missing, the packages on Debian and Fedora, a command on macOS
  missing="$missing${missing:+, }$1"
  debian="$debian $2" fedora="$fedora $3"
  case "$macos" in *"$4"*) ;; *) macos="$macos${macos:+ && }$4" ;; esac
}

# A Python with its version in its name comes in packages of that name.
package=python3
case $(basename "$python") in python3.*) package=$(basename "$python") ;; esac

if ! version=$("$python" -c 'import platform; print(platform.python_version())' 2>/dev/null); then
  need "Python 3.11 or newer ($python does not run)" "$package $package-dev $package-venv" "$package-devel" 'brew install python'
elif ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
  need "Python 3.11 or newer ($python is $version; make PYTHON=python3.11 uses another)" \
    'python3.11 python3.11-dev python3.11-venv' python3.11-devel 'brew install python'
else
  "$python" -c 'import os, sys, sysconfig; sys.exit(not os.path.exists(sysconfig.get_path("include") + "/Python.h"))' \
    || need "Python's headers" "$package-dev" "$package-devel" 'brew install python'
  "$python" -c 'import ensurepip, venv' 2>/dev/null \
    || need "Python's module venv" "$package-venv" "$package" 'brew install python'
fi

has_cxx20() {
  for compiler in ${CXX:-c++ g++ clang++}; do
    echo '#include <span>
int main(int n, char**) { return static_cast<int>(std::span<int>(&n, 1).size()) - 1; }' \
      | "$compiler" -std=c++20 -fsyntax-only -x c++ - 2>/dev/null && return
  done
  return 1
}
has_cxx20 || need 'a C++20 compiler' g++ gcc-c++ 'xcode-select --install'

[ -z "$missing" ] && exit
echo "missing: $missing; on Debian or Ubuntu: apt install$debian; on Fedora: dnf install$fedora; on macOS: $macos" >&2
exit 1
