# recorded 2026-11-30 without a scheduler
The help of workshop rehearse.

  $ workshop rehearse --help
  Usage: workshop rehearse [OPTIONS] SCRIPT [ARGS]...
  
    Run the job script SCRIPT on this machine, without a scheduler.
  
    It starts where its scheduler would start it, with the variables and files
    that its scheduler sets; srun, mpirun, pbsdsh and blaunch work, and heed
    what the real ones heed; at the walltime it gets that scheduler's signals;
    the log has the name that it would have. A script that the scheduler would
    refuse does not start.
  
    Lines that begin with '#' are the rehearsal's own. The exit status is the
    job's; 1 = not rehearsed, with the reason.
  
  Options:
    --scheduler [slurm|pbs|pbspro|openpbs|torque|lsf|spectrum-lsf]
                                    Default: as the directives say.
    --nodes-prefix TEXT             Beginning of the invented nodes' names.
                                    [default: node]
    --walltime TIME                 End it after this time instead (seconds,
                                    MM:SS or H:MM:SS).
    --workdir DIRECTORY             Folder to submit from (default: this one).
    --depth INTEGER                 How many jobs deep submissions from scripts
                                    are rehearsed.  [default: 1]
    --delays FACTOR                 Shorten the scheduler's own delays (0.1: a
                                    tenth).  [default: 1.0]
    --force                         Rehearse a script that its scheduler would
                                    refuse, too.
    -h, --help                      Show this message and exit.
