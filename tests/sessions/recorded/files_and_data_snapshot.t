# recorded 2026-11-29 with slurm-wlm 22.05.8
The same, with a snapshot of the code: the job runs what was committed, and its log names the commit.

  $ mkdir experiment && cd experiment
  $ echo 'print("program: as submitted")' > main.py
  $ cat > job.sbatch << 'END'
  > #!/bin/bash
  > #SBATCH --output=log-%j.out
  > echo "commit:  $COMMIT"
  > python main.py
  > END
  $ git init --quiet . && git add main.py job.sbatch
  $ git -c user.name=me -c user.email=me@example.org commit --quiet --message=first
  $ commit=$(git rev-parse --short HEAD)
  $ mkdir --parents snapshots/$commit
  $ git archive HEAD | tar --extract --directory=snapshots/$commit
  $ job=$(sbatch --parsable --hold --chdir=snapshots/$commit --export=ALL,COMMIT=$commit job.sbatch)
  $ sed --in-place 's/as submitted/edited later/' main.py
  $ scontrol release $job
  $ cat snapshots/$commit/log-$job.out
  commit:  26cb34f
  program: as submitted
  $ cd ../..
