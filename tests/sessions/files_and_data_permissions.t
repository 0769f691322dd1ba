A folder for a group: new folders stay the group's, new files are as open as the umask lets them.

  $ mkdir shared
  $ chmod u=rwx,g=rwxs,o= shared
  $ umask 022; touch shared/first.txt
  $ umask 007; touch shared/second.txt; mkdir shared/data
  $ stat --format='%A %n' shared shared/*
  drwxrws--- shared
  drwxrws--- shared/data
  -rw-r--r-- shared/first.txt
  -rw-rw---- shared/second.txt
  $ touch shared/data/digits.tar; chmod g-rwx shared/data
  $ namei --modes shared/data/digits.tar
  f: shared/data/digits.tar
   drwxrws--- shared
   drwx--S--- data
   -rw-rw---- digits.tar
  $ umask 022
