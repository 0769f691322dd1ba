# recorded 2026-11-28 with Apptainer 1.4.5
A temporary folder with the set-group-ID bit, whose group is not the user's first one. This machine's Apptainer runs in a
namespace: the numbers name a group that exists there.
Needs: apptainer, root.

  $ ln -s "$(workshop apptainer image base 2> /dev/null)" base.sif
  $ printf 'Bootstrap: localimage\nFrom: base.sif\n\n%%post\n    true\n' > my.def
  $ mkdir shared && chgrp 1000002000 shared && chmod 2770 shared
  $ export fast="-comp zstd -Xcompression-level 3"
  $ apptainer() { shift; setpriv --groups 1000002000 apptainer build --mksquashfs-args="$fast" "$@" 2>&1 | sed -E '/^(INFO|ERROR)/d; /^\+/d'; return ${PIPESTATUS[0]}; }
#show
  $ stat --format=%A shared
  drwxrws---
  $ export APPTAINER_TMPDIR=$PWD/shared
  $ apptainer build my.sif my.def
  FATAL:   While performing build: packer failed to pack: while unpacking local image: root filesystem extraction failed: failed to create staging file: open ~/shared/build-temp-2728506229/archive-3562357618: no such file or directory
  [255]
  $ chmod g-s shared
  $ apptainer build my.sif my.def && ls *.sif
  base.sif
  my.sif
