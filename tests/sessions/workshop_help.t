The help of workshop .

  $ workshop --help
  Usage: workshop [OPTIONS] COMMAND [ARGS]...
  
    Tools of the HPC Cluster Workshop. Run 'workshop COMMAND --help' for one
    command's options.
  
  Options:
    --version   Show the version and exit.
    -h, --help  Show this message and exit.
  
  Commands:
    apptainer  Install Apptainer for the practice cluster, build the course's
               images.
    book       Build the book: run the notebooks, make the site, check it.
    check      Say what a job script really asks for, and what is wrong with it.
    cluster    Start, look at and stop a practice cluster (real Slurm on this
               machine).
    exercise   List the exercises, copy a starter, check your solution.
    fill       Fill a generic job script in for a named cluster.
    rehearse   Run a job script without a scheduler, with the variables it would
               see.
    sites      List the clusters that the workshop knows, with their facts and
               sources.
    ssh        Practise SSH: a laptop, a login node and a compute node on this
               machine.
    translate  Write a job script anew for another scheduler.
    why        Say why a job failed: the first cause in its log, and what mends
               it.
