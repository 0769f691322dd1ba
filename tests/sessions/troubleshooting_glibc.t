A program that was built on a newer system: the copy asks for a version of the C library that does not exist yet.

  $ sed 's/GLIBC_2\.[0-9][0-9]/GLIBC_2.99/g' "$(type -P true)" > train
  $ chmod u+x train
  $ ./train 2>&1 | head -n 1 | fold -s -w 80
  ./train: /lib/\S+/libc.so.6: version `GLIBC_2.99' not found  (re)
  (required by ./train)
  $ ldd --version | head -n 1 | grep -oE "[0-9.]+$"
  [\d.]+ (re)
