# recorded 2026-11-28 without a scheduler
The help of workshop book.

  $ export COLUMNS=100
#show
  $ workshop book --help
  Usage: workshop book [OPTIONS] COMMAND [ARGS]...
  
    Build the book and keep it true.
  
  Options:
    -h, --help  Show this message and exit.
  
  Commands:
    build      Run the notebooks that are out of date and make the site in...
    messages   Write the entries of 'When it goes wrong', and messages.json.
    new        Make the files of a new CHAPTER and its entry in every list;...
    notebooks  Run the notebooks NAMES (all if none is given) where they...
    record     Run the console sessions NAMES (all if none is given) on a...
    strip      Remove outputs from notebook FILES (all of notebooks/ if...
