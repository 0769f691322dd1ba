// Who is who: what each launcher tells its processes, and what scripts/train/launch.py makes of it. A test gives the
// environments that stand here to launch.py, for all launchers and numbers that the page offers.
"use strict";

(() => {
  const PORT = "24711";
  const name = (node) => `n${node + 1}`;
  const names = (nodes) => (nodes === 1 ? "n1" : `n[1-${nodes}]`);
  const counts = (nodes, tasks) => (nodes === 1 ? String(tasks) : `${tasks}(x${nodes})`);
  const each = (count, make) => Array.from({ length: count }, (_, number) => make(number));
  const strings = (values) => Object.fromEntries(Object.entries(values).map(([key, value]) => [key, String(value)]));

  // Variables of a job and of one of its tasks, as each scheduler and launcher sets them. `at`: {node, local, task}.
  const slurmJob = ({ nodes, tasks }) => ({
    SLURM_JOB_ID: 4711,
    SLURM_JOB_NODELIST: names(nodes),
    SLURM_JOB_NUM_NODES: nodes,
    SLURM_NNODES: nodes,
    SLURM_NTASKS: nodes * tasks,
    SLURM_TASKS_PER_NODE: counts(nodes, tasks),
  });
  const batchScript = (job) => ({ ...slurmJob(job), SLURM_PROCID: 0, SLURM_LOCALID: 0, SLURM_NODEID: 0 });
  const srun = (job, at) => ({
    ...slurmJob(job),
    SLURM_PROCID: at.task,
    SLURM_LOCALID: at.local,
    SLURM_NODEID: at.node,
    SLURM_STEP_ID: 0,
    SLURM_STEP_NODELIST: names(job.nodes),
    SLURM_STEP_NUM_NODES: job.nodes,
    SLURM_STEP_NUM_TASKS: job.nodes * job.tasks,
    SLURM_STEP_TASKS_PER_NODE: counts(job.nodes, job.tasks),
  });
  const master = { MASTER_ADDR: "n1", MASTER_PORT: PORT };
  const openmpi = (job, at) => ({
    ...master,
    OMPI_COMM_WORLD_RANK: at.task,
    OMPI_COMM_WORLD_SIZE: job.nodes * job.tasks,
    OMPI_COMM_WORLD_LOCAL_RANK: at.local,
    OMPI_COMM_WORLD_LOCAL_SIZE: job.tasks,
    PMIX_RANK: at.task,
    PMIX_NAMESPACE: "prterun-n1-1001@1",
  });
  const hydra = (job, at) => ({
    ...master,
    PMI_RANK: at.task,
    PMI_SIZE: job.nodes * job.tasks,
    MPI_LOCALRANKID: at.local,
    MPI_LOCALNRANKS: job.tasks,
  });
  const pals = (job, at) => ({
    PBS_JOBID: "88.head",
    PALS_RANKID: at.task,
    PALS_LOCAL_RANKID: at.local,
    PALS_NODEID: at.node,
    PALS_LOCAL_SIZE: job.tasks,
    PMI_RANK: at.task,
    PMI_SIZE: job.nodes * job.tasks,
    PMI_LOCAL_RANK: at.local,
    PMI_LOCAL_SIZE: job.tasks,
  });
  const pbsdsh = (job, at) => ({ PBS_JOBID: "88.head", PBS_NODENUM: at.node, PBS_TASKNUM: `${at.node + 2}` });
  const blaunch = (job, at) => ({ LSB_JOBID: 77, LSB_JOBINDEX: 0, LSF_PM_TASKID: at.node + 1 });
  const torchrun = (nodes, gpus, node, local) => ({
    RANK: node * gpus + local,
    LOCAL_RANK: local,
    WORLD_SIZE: nodes * gpus,
    LOCAL_WORLD_SIZE: gpus,
    GROUP_RANK: node,
    GROUP_WORLD_SIZE: nodes,
    MASTER_ADDR: nodes === 1 ? "localhost" : "n1",
    MASTER_PORT: PORT,
    TORCHELASTIC_RUN_ID: "4711",
  });

  const nodeFile = (variable) => (job) => ({ [variable]: each(job.nodes, name) });
  const none = () => ({});
  const TORCHRUN = ["RANK", "LOCAL_RANK", "WORLD_SIZE"];
  // agents: it starts torchruns, and those start the ranks; fixed: the number of its processes a node is no choice;
  // told: names of rank, local rank and world size.
  const LAUNCHERS = {
    "srun torchrun": {
      agents: true,
      sets: srun,
      told: TORCHRUN,
      command: ({ nodes, gpus, tasks }) =>
        `srun --nodes=${nodes} --ntasks-per-node=${tasks} torchrun --nnodes=${nodes} --nproc-per-node=${gpus} …`,
    },
    "srun python": {
      sets: srun,
      told: ["SLURM_PROCID", "SLURM_LOCALID", "SLURM_STEP_NUM_TASKS"],
      command: ({ nodes, tasks }) => `srun --nodes=${nodes} --ntasks-per-node=${tasks} python …`,
    },
    "mpirun (Open MPI)": {
      sets: openmpi,
      told: ["OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_SIZE"],
      command: ({ nodes, tasks }) =>
        `mpirun -np ${nodes * tasks} --map-by ppr:${tasks}:node -x MASTER_ADDR -x MASTER_PORT python …`,
    },
    "mpiexec (MPICH, Intel MPI)": {
      sets: hydra,
      told: ["PMI_RANK", "MPI_LOCALRANKID", "PMI_SIZE"],
      command: ({ nodes, tasks }) => `mpiexec -n ${nodes * tasks} -ppn ${tasks} -genv MASTER_ADDR … python …`,
    },
    "mpiexec (Cray PALS)": {
      sets: pals,
      files: nodeFile("PBS_NODEFILE"),
      told: ["PALS_RANKID", "PALS_LOCAL_RANKID", "PMI_SIZE"],
      command: ({ nodes, tasks }) => `mpiexec -n ${nodes * tasks} --ppn ${tasks} python …`,
    },
    "pbsdsh and torchrun": {
      agents: true,
      fixed: true,
      sets: pbsdsh,
      files: nodeFile("PBS_NODEFILE"),
      told: TORCHRUN,
      command: ({ nodes, gpus }) => `pbsdsh -- bash -c "torchrun --nnodes=${nodes} --nproc-per-node=${gpus} …"`,
    },
    "blaunch and torchrun": {
      agents: true,
      fixed: true,
      sets: blaunch,
      files: nodeFile("LSB_DJOB_HOSTFILE"),
      told: TORCHRUN,
      command: ({ nodes, gpus }) => `blaunch -z "$hosts" torchrun --nnodes=${nodes} --nproc-per-node=${gpus} …`,
    },
    "torchrun --standalone": {
      agents: true,
      fixed: true,
      alone: true,
      sets: batchScript,
      told: TORCHRUN,
      command: ({ gpus }) => `torchrun --standalone --nproc-per-node=${gpus} …`,
    },
    "python alone": {
      fixed: true,
      alone: true,
      sets: batchScript,
      told: [],
      command: () => "python …",
    },
  };

  // `shown`: "all" GPUs of the node to each task, or "one" of its own. Returns
  //   processes: [{node, gpu, rank, localRank, worldSize, device, environment, files, refused}], one for each rank;
  //     gpu: the number of its GPU on the node, device: what launch.py takes, null where it refuses;
  //   tasks: how many the launcher starts on a node; idle: GPUs that nobody uses;
  //   refused: why nothing starts at all (then processes has one whose environment launch.py refuses).
  function who(launcher, nodes, gpus, tasks, shown = "all") {
    const kind = LAUNCHERS[launcher];
    const job = { nodes, gpus, tasks: kind.fixed ? 1 : tasks };
    const place = (node) => (local) => ({ node, local, task: node * job.tasks + local });
    const places = each(kind.alone ? 1 : nodes, (node) => each(job.tasks, place(node)));
    const command = kind.command(job);
    if (kind.agents && job.tasks > 1) return twoAgents(kind, job, command);
    const ranksOf = kind.agents ? ranksOfAgent : rankOfTask;
    const processes = places.flat().flatMap((at) => ranksOf(kind, job, at, shown));
    return { command, tasks: job.tasks, processes, idle: nodes * gpus - used(processes), refused: "" };
  }

  const used = (processes) => processes.filter((one) => one.device).length;

  function twoAgents(kind, job, command) {
    const at = { node: 0, local: 0, task: 0 };
    const environment = strings({ ...kind.sets(job, at), ...torchrun(job.nodes, job.gpus, 0, 0) });
    const refused = `${job.tasks} torchruns on this node`;
    const processes = [{ environment, files: {}, refused }];
    return { command, tasks: job.tasks, processes, idle: job.nodes * job.gpus, refused };
  }

  function ranksOfAgent(kind, job, at, shown) {
    const nodes = kind.alone ? 1 : job.nodes;
    const visible = shown === "one" ? 1 : job.gpus;
    return each(job.gpus, (local) => {
      const environment = strings({ ...kind.sets(job, at), ...torchrun(nodes, job.gpus, at.node, local) });
      const fits = local < visible;
      return {
        ...{ node: at.node, gpu: local, rank: at.node * job.gpus + local, localRank: local },
        worldSize: nodes * job.gpus,
        ...{ environment, files: (kind.files ?? none)(job), visible },
        device: fits ? `cuda:${local}` : null,
        refused: fits ? "" : `local rank ${local} on a node where ${visible} GPU(s) are visible`,
      };
    });
  }

  function rankOfTask(kind, job, at, shown) {
    const visible = shown === "one" ? 1 : job.gpus;
    return {
      ...{ node: at.node, gpu: at.local, rank: at.task, localRank: at.local },
      worldSize: kind.alone ? 1 : job.nodes * job.tasks,
      ...{ environment: strings(kind.sets(job, at)), files: (kind.files ?? none)(job), visible },
      device: `cuda:${visible === 1 ? 0 : at.local}`,
      refused: "",
    };
  }

  globalThis.workshopPlay = { ...globalThis.workshopPlay, ranks: { LAUNCHERS, name, who } };
})();
