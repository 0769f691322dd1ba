# recorded 2026-11-30 without a scheduler
The help of workshop ssh.

  $ workshop ssh --help
  Usage: workshop ssh [OPTIONS] [COMMAND]...
  
    Open a shell (or run COMMAND) on a practice laptop, to practise SSH with
    real OpenSSH and no account.
  
  Options:
    -h, --help  Show this message and exit.
