# recorded 2026-11-30 without a scheduler
The help of workshop sites.

  $ workshop sites --help
  Usage: workshop sites [OPTIONS] [NAME]
  
    List the clusters whose facts the course knows, or show all facts of NAME
    with their sources.
  
    NAME is a cluster's name, or the path of a site file that you are writing:
    it is checked first.
  
  Options:
    --format [text|json]  [default: text]
    -h, --help            Show this message and exit.
