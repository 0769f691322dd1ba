The same findings as data, for a program.

  $ cat > train.sbatch << 'END'
  > #!/bin/bash
  > #SBATCH --nodes=2
  > #SBATCH --mem=64
  > #SBATCH --time=1:30
  > 
  > srun torchrun --nnodes=2 --nproc-per-node=4 train.py
  > END
  $ workshop check --format json train.sbatch > my_report.json
  $ python - << 'END'
  > import json
  > report = json.load(open("my_report.json"))
  > print(report["verdict"], report["request"]["time_s"], "seconds")
  > for finding in report["findings"]:
  >     print(finding["line"], finding["severity"], finding["rule"])
  > END
  accept-but-wrong 120 seconds
  3 warning mem_unit_default_megabytes
  4 note time_is_minutes
  6 warning rendezvous_stays_on_one_node
  6 note processes_share_a_core
