#!/bin/sh
# folders.sh - a folder of src is a rule: what each may use, and that a breach is reported
set -u
: "${SRCDIR:?run me through make check}" "${BUILDDIR:?run me through make check}"
command -v python3 >/dev/null || { echo "1..0 # SKIP needs python3"; exit 0; }
exec python3 "$SRCDIR/tests/unit/folders.py"
