#!/bin/sh
# autogen.sh - make configure and Makefile.in from a git checkout
set -eu
cd "$(dirname "$0")"
mkdir -p build-aux m4
exec autoreconf --install --force --warnings=all
