The help of workshop check.

  $ workshop check --help
  Usage: workshop check [OPTIONS] FILE...
  
    Say what each job script FILE really asks for, and what is wrong with it;
    '-' is standard input.
  
    Exit status: 0 without errors, 1 with errors (with --fix: with errors that
    are left), 2 where a FILE or the site cannot be read, or FILE.orig is there
    already and nothing was written.
  
  Options:
    --scheduler [slurm|pbs|pbspro|openpbs|torque|lsf|spectrum-lsf]
                                    Whose script it is; found out from the
                                    directives if not given.
    --site NAME                     Check against the facts of a site, too; see
                                    'workshop sites'.
    --slurm-version X.YY            Slurm's version, where it matters; beats the
                                    site's.
    --submit COMMAND                How you hand it over, for example 'bsub
                                    job.lsf'.
    --format [text|json|github]     github: annotations of a pull request, in a
                                    workflow of GitHub.  [default: text]
    --quiet                         Print errors and warnings alone, and nothing
                                    on a FILE that has none.
    --fix                           Print the script with every edit that is
                                    safe; the report goes to stderr.
    --in-place                      Write the mended script into FILE and keep
                                    the old one as FILE.orig.
    --diff                          Print what would be changed, as patch(1)
                                    reads it; FILE stays as it is.
    -h, --help                      Show this message and exit.
