A node fails under a running job. It is given back when this session ends.

  $ trap 'scontrol update nodename=cpu2 state=resume 2> /dev/null' EXIT
  $ idle() { for try in $(seq 150); do scontrol show node cpu2 | grep -q State=IDLE && break || sleep 0.2; done; }
  $ until_state() { for try in $(seq 300); do scontrol show job $job | grep -q JobState=$1 && break || sleep 0.2; done; }
  $ idle
  $ job=$(sbatch --parsable --nodelist=cpu2 --no-requeue --job-name=lost --output=%x-%j.out --time=5 --wrap="sleep 200")
  $ until_state RUNNING
  $ scontrol update nodename=cpu2 state=down reason="power supply"
  $ until_state NODE_FAIL
  $ for try in $(seq 150); do grep -q FAILURE lost-$job.out && break || sleep 0.2; done
#show
  $ scontrol show job $job | grep -oE "(JobState|Reason|ExitCode)=\S+"
  JobState=NODE_FAIL
  Reason=NodeDown
  ExitCode=0:0
  $ sed -E 's/ (DUE|SEE)/\n  \1/g' lost-$job.out
  slurmstepd-cpu2: error: \*\*\* JOB \d+ ON cpu2 CANCELLED AT \S+ (re)
    DUE TO NODE FAILURE,
    SEE SLURMCTLD LOG FOR DETAILS ***
