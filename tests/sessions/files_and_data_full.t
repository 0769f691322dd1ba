Two disks that become full: one of 1 MiB, one with room for 100 files. Each is mounted for one command, in a namespace
of its own. The last message is the one that the C library has for a quota.

  $ mkdir my_files && cd my_files
  $ mkdir disk
  $ cat > small_disk.sh << 'END'
  > unshare --map-root-user --mount bash -c '
  >     mount -t tmpfs -o $1 small disk && cd disk && bash ../$2' small "$@"
  > END
  $ cat > bytes.sh << 'END'
  > head --bytes=2M /dev/zero > results.bin
  > df --block-size=K --output=size,used,avail,iavail .
  > END
  $ cat > files.sh << 'END'
  > for n in {1..200}; do touch $n || break; done
  > df --block-size=M --output=size,used,avail,iavail .
  > END
  $ bash small_disk.sh size=1M bytes.sh
  head: error writing 'standard output': No space left on device
  1K-blocks  Used Avail +IFree (re)
   +1024K 1024K +0K +\d+ (re)
  $ bash small_disk.sh nr_inodes=100 files.sh
  touch: cannot touch '100': No space left on device
  1M-blocks +Used +Avail +IFree (re)
   +\d+M +0M +\d+M +0 (re)
  $ python -c 'import errno, os; print(os.strerror(errno.EDQUOT))'
  Disk quota exceeded
