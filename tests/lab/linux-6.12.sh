#!/bin/sh
# the lab on Linux 6.12, for the test driver
exec "$SRCDIR/tests/lab/run" 6.12
