# recorded 2026-11-30 without a scheduler
The help of workshop exercise.

  $ workshop exercise --help
  Usage: workshop exercise [OPTIONS] COMMAND [ARGS]...
  
    Exercises of the workshop.
  
  Options:
    -h, --help  Show this message and exit.
  
  Commands:
    check  Check your file PATH against exercise NAME: exit code 0 where it...
    list   List the exercises, chapter by chapter, with their titles.
    start  Copy the starter of exercise NAME to TARGET (default: my_NAME in...
