// The model of a queue of scripts/workshop/queue_model.py: whole nodes, one queue, EASY backfill, whole minutes. A test
// compares the two on random queues.
"use strict";

(() => {
  const POLICIES = { fifo: "in strict order", easy: "with backfill" };

  // When a job of `nodes` nodes can start at the latest. `running`: [expected end, nodes] of each running job.
  function reserve(nodes, now, free, running) {
    let [start, available] = [now, free];
    for (const [end, freed] of running.toSorted(([one], [other]) => one - other)) {
      if (available >= nodes && end > start) break;
      [start, available] = [Math.max(start, end), available + freed];
    }
    return { start, spare: available - nodes };
  }

  // "before": it ends by the promised start; "beside": the promised job does not need its nodes. Else why it waits.
  function mayBackfill(job, now, free, promise) {
    if (job.nodes > free) return "wide";
    if (now + job.walltime <= promise.start) return "before";
    return job.nodes <= promise.spare ? "beside" : "long";
  }

  // Jobs are {name, nodes, walltime, runtime, submit}. Returns
  //   runs: [{job, start, end, expected, nodes: [number], backfilled}] in the order of their start,
  //   promises: [{minute, name, start, spare}], one for each minute at which the first in line had to wait,
  //   events: [{minute, ended: [name], came: [name], decided: [{name, what, …}]}], what was decided and why.
  function simulate(jobs, size, policy = "easy") {
    const coming = jobs.toSorted((one, other) => one.submit - other.submit); // jobs of one minute keep their order
    const free = Array.from({ length: size }, (_, node) => node);
    const state = { backfills: policy === "easy", queue: [], running: [], free, runs: [], promises: [], events: [] };
    while (coming.length || state.running.length) {
      const now = Math.min(...state.running.map((run) => run.end), ...coming.slice(0, 1).map((job) => job.submit));
      const ended = state.running.filter((run) => run.end <= now);
      state.running = state.running.filter((run) => run.end > now);
      state.free = [...state.free, ...ended.flatMap((run) => run.nodes)].sort((one, other) => one - other);
      const came = [];
      while (coming.length && coming[0].submit <= now) came.push(coming.shift());
      state.queue.push(...came);
      const decided = startJobs(state, now);
      const names = { ended: ended.map((run) => run.job.name), came: came.map((job) => job.name) };
      state.events.push({ minute: now, ...names, decided });
    }
    return { runs: state.runs, promises: state.promises, events: state.events };
  }

  function startJobs(state, now) {
    const decided = [];
    while (state.queue.length && state.queue[0].nodes <= state.free.length) {
      const job = state.queue.shift();
      decided.push({ name: job.name, what: "turn", job });
      begin(state, job, now, false);
    }
    if (!state.queue.length) return decided;
    const [head, ...behind] = state.queue;
    const expected = state.running.map((run) => [run.expected, run.job.nodes]);
    const promise = reserve(head.nodes, now, state.free.length, expected);
    state.promises.push({ minute: now, name: head.name, ...promise });
    decided.push({ name: head.name, what: "promise", job: head, free: state.free.length, ...promise });
    for (const job of behind) decided.push(lookBehind(state, job, now, promise, head.name));
    return decided;
  }

  // One job behind the first in line: it is started, or the reason why not. Takes from the promise's spare nodes.
  function lookBehind(state, job, now, promise, head) {
    const free = state.free.length;
    const what = state.backfills ? mayBackfill(job, now, free, promise) : "behind";
    const decision = { name: job.name, what, job, free, head, end: now + job.walltime, ...promise };
    if (what === "before" || what === "beside") {
      state.queue.splice(state.queue.indexOf(job), 1);
      begin(state, job, now, true);
      if (now + job.walltime > promise.start) promise.spare -= job.nodes;
    }
    return decision;
  }

  function begin(state, job, now, backfilled) {
    const nodes = state.free.splice(0, job.nodes);
    const end = now + Math.min(job.runtime, job.walltime);
    const run = { job, start: now, end, expected: now + job.walltime, nodes, backfilled };
    state.running.push(run);
    state.runs.push(run);
  }

  const meanWait = (runs) => runs.reduce((sum, run) => sum + run.start - run.job.submit, 0) / (runs.length || 1);
  const makespan = (runs) => Math.max(0, ...runs.map((run) => run.end));

  const queue = { POLICIES, reserve, simulate, meanWait, makespan };
  globalThis.workshopPlay = { ...globalThis.workshopPlay, queue };
})();
