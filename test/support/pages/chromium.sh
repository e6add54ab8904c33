#!/bin/sh
# Chromium without the right to raise its own priority: as root it would, and starve the server that it is to test.
program=${GATEHOUSE_CHROMIUM:-chromium}
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
  exec setpriv --bounding-set=-sys_nice "$program" "$@"
fi
exec "$program" "$@"
