# recorded 2026-11-30 without a scheduler
The help of workshop why.

  $ workshop why --help
  Usage: workshop why [OPTIONS] FILE
  
    Say why a job failed: find the first cause in its log FILE, and what mends
    it; '-' is standard input.
  
    A message alone will do, too: workshop why - <<< 'the message'
  
    Exit status: 0 where the cause is known, 1 where it is not, 2 where FILE
    cannot be read.
  
  Options:
    --format [text|json]  [default: text]
    -h, --help            Show this message and exit.
