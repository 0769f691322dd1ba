# recorded 2026-11-30 without a scheduler
The help of workshop fill.

  $ workshop fill --help
  Usage: workshop fill [OPTIONS] FILE
  
    Write FILE for the cluster of --site; what changed, and why, goes to stderr.
  
    Only what the cluster demands is changed: filling in a filled script changes
    nothing.
  
    Ends with 1 and the reason where the cluster cannot run the job, with 2
    where a file cannot be read or written.
  
  Options:
    --site TEXT           A name of 'workshop sites', or a site file of your
                          own.  [required]
    -A, --account TEXT    Your account or project; else the site's form stays,
                          marked # EDIT.
    --mail TEXT           Address for mail when the job ends or fails.
    -o, --output FILE     New file to write; else stdout.
    --force               Overwrite the file of --output where there is one.
    --format [text|json]  json: the script, and what became of each option:
                          carried, changed or left_out; and those added.
    -h, --help            Show this message and exit.
