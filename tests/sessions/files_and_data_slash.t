Rsync with and without a slash behind the source: two different trees.

  $ mkdir --parents project/networks && touch project/main.py project/networks/small.py
  $ ls project
  main.py
  networks
  $ rsync --archive project/ with_slash
  $ ls with_slash
  main.py
  networks
  $ rsync --archive project without_slash
  $ ls without_slash
  project
