Needs: apptainer.
A registry that cannot be reached, and the cache.

  $ apptainer pull docker://registry.invalid/debian:12.11-slim 2>&1 |
  >   grep -oE "^FATAL|pinging container registry|no such host"
  FATAL
  pinging container registry
  no such host
  $ apptainer cache list
  There are 0 container file(s) using 0.00 KiB and 0 oci blob file(s) using 0.00 KiB of space
  Total space used: 0.00 KiB
