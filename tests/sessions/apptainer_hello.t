Needs: apptainer.
The smallest image, used in three ways.

  $ ln -s "$(workshop apptainer image hello)" hello.sif
  $ grep PRETTY /etc/os-release
  PRETTY_NAME=".*" (re)
  $ apptainer exec hello.sif grep PRETTY /etc/os-release
  PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"
  $ apptainer run hello.sif Ada
  Hello Ada from Debian GNU/Linux 12 \(bookworm\) on \S+ (re)
  $ apptainer shell hello.sif << 'END'
  > echo "in the image $APPTAINER_NAME: built on $(cat /etc/built-on)"
  > END
  in the image hello.sif: built on \d{4}-\d\d-\d\d (re)
