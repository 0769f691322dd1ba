# recorded 2026-11-30 without a scheduler
The help of workshop translate.

  $ workshop translate --help
  Usage: workshop translate [OPTIONS] FILE
  
    Print the job script FILE in another scheduler's words.
  
    What has no counterpart stays as a line that begins '# NOT TRANSLATED', what
    is to be looked at as one that begins '# CHECK'; both quote what FILE has,
    and are listed on standard error.
  
    Exit status: 0 = translated, 1 = cannot be translated, 2 = FILE cannot be
    read.
  
  Options:
    --to [slurm|pbs|lsf]            The scheduler to translate into.  [required]
    --scheduler [slurm|pbs|pbspro|openpbs|torque|lsf|spectrum-lsf]
                                    Whose script it is; found out from the
                                    directives if not given.
    --format [text|json]            json: the script, and what became of each
                                    option: carried, changed or left_out.
    --site NAME                     Fill in the result for a site, too; see
                                    'workshop sites'.
    -h, --help                      Show this message and exit.
