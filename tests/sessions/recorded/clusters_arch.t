# recorded 2026-11-29 without a scheduler
A program that was built for another kind of processor: the copy of a small program says in its header that it is one
for Arm (or for x86, where this machine itself is an Arm one).

  $ cp "$(type -P true)" my_train && chmod u+w my_train
  $ [ "$(uname -m)" = aarch64 ] && other='\x3e' || other='\xb7'
  $ printf "$other" | dd of=my_train bs=1 seek=18 conv=notrunc status=none
  $ uname -m
  x86_64
  $ bash -c ./my_train
  bash: line 1: ./my_train: cannot execute binary file: Exec format error
  [126]
