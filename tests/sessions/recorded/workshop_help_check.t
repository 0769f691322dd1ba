# recorded 2026-11-28 with slurm-wlm 22.05.8
The help of workshop check.

  $ export COLUMNS=100
#show
  $ workshop check --help
  Usage: workshop check [OPTIONS] FILE
  
    Say what the job script FILE really asks for, and what is wrong with it.
  
    Exit status: 0 without errors, 1 with errors, 2 where FILE or the site
    cannot be read.
  
  Options:
    --scheduler [slurm|pbs|pbspro|openpbs|torque|lsf|spectrum-lsf]
                                    Whose script it is; found out from the
                                    directives if not given.
    --site NAME                     Check against the facts of a site, too; see
                                    'workshop sites'.
    --submit COMMAND                How you hand it over, for example 'bsub
                                    job.lsf'.
    --format [text|json]            [default: text]
    -h, --help                      Show this message and exit.
