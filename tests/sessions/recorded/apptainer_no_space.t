# recorded 2026-11-28 with Apptainer 1.4.5
A temporary folder of 20 MB, too small for an image of 60 MB: a file system in memory, mounted for this one command.
Needs: apptainer.

  $ ln -s "$(workshop apptainer image base 2> /dev/null)" base.sif && mkdir small
  $ printf 'Bootstrap: localimage\nFrom: base.sif\n\n%%post\n    true\n' > my.def
  $ apptainer() { unshare $([ $UID = 0 ] || echo --map-root-user) --mount bash -c 'mount -t tmpfs -o size=20m small small && exec apptainer "$@"' small "$@" 2>&1 | grep FATAL | tr -s / | sed -E 's/.*(failed to copy)/FATAL: … \1/'; }
#show
  $ APPTAINER_TMPDIR=$PWD/small apptainer build my.sif my.def
  FATAL: … failed to copy content in staging file: write ~/small/build-temp-357151035/archive-3190146085: no space left on device
