# recorded 2026-11-30 without a scheduler
The help of workshop apptainer.

  $ workshop apptainer --help
  Usage: workshop apptainer [OPTIONS] COMMAND [ARGS]...
  
    Apptainer on this machine: install it in a folder of its own, build the
    course's images for CPUs.
  
    Both lie in ~/.cache/workshop. The practice cluster's nodes find that
    Apptainer by themselves.
  
  Options:
    -h, --help  Show this message and exit.
  
  Commands:
    image    Build the images NAMES (all that can be built here, if none is...
    install  Find Apptainer, or install it in the cache folder (needs...
    prepare  For the tests: install Apptainer and build all images where...
