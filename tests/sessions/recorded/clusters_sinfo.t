# recorded 2026-11-28 with slurm-wlm 22.05.8
What sinfo says while two jobs run: one has a whole node, the other half of a node with GPUs. Both go when this session
ends.

  $ . "$REPO/tests/sessions/waits.bash"
  $ trap 'scancel --name=busy' EXIT
  $ wait_idle cpu1 cpu2 gpu1 gpu2
  $ for job in "--nodelist=cpu1 --exclusive" "--partition=gpu --nodelist=gpu1 --gpus=2 --cpus-per-task=4"; do
  >   sbatch --job-name=busy --output=/dev/null --time=5 $job --wrap="sleep 280" > /dev/null
  > done
  $ wait_running 2 --name=busy
#show
  $ sinfo
  PARTITION AVAIL  TIMELIMIT  NODES  STATE NODELIST
  cpu*         up 1-00:00:00      1  alloc cpu1
  cpu*         up 1-00:00:00      1   idle cpu2
  gpu          up 1-00:00:00      1    mix gpu1
  gpu          up 1-00:00:00      1   idle gpu2
  $ sinfo --summarize
  PARTITION AVAIL  TIMELIMIT   NODES(A/I/O/T) NODELIST
  cpu*         up 1-00:00:00          1/1/0/2 cpu[1-2]
  gpu          up 1-00:00:00          1/1/0/2 gpu[1-2]
  $ sinfo --Node --Format=NodeHost:11,StateCompact:8,CPUsState:15,Memory:8,Gres:13,GresUsed:22
  HOSTNAMES  STATE   CPUS(A/I/O/T)  MEMORY  GRES         GRES_USED             
  cpu1       alloc   8/0/0/8        16000   (null)       gpu:0                 
  cpu2       idle    0/8/0/8        16000   (null)       gpu:0                 
  gpu1       mix     4/4/0/8        32000   gpu:v100:4   gpu:v100:2(IDX:0-1)   
  gpu2       idle    0/8/0/8        32000   gpu:v100:4   gpu:v100:0(IDX:N/A)   
