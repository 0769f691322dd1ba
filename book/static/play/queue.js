// The queue: change what jobs ask for, and see where backfill puts them, event by event.
"use strict";

(() => {
  const { make, draw, button, number, choice, labelled, wrong, status, plural, start } = workshopPlay.parts;
  const { POLICIES, simulate, meanWait, makespan } = workshopPlay.queue;
  const SIZE = 4; // nodes
  const MOST = 8; // jobs
  const LONGEST = 240; // minutes
  const JOBS = [
    { name: "A", submit: 0, nodes: 3, walltime: 60, runtime: 60 },
    { name: "B", submit: 1, nodes: 4, walltime: 60, runtime: 60 },
    { name: "C", submit: 2, nodes: 1, walltime: 30, runtime: 30 },
    { name: "D", submit: 3, nodes: 1, walltime: 90, runtime: 20 },
  ];
  // Columns of the table: key, heading, what the field is called, limits.
  const COLUMNS = [
    ["submit", "comes at", "minute at which it comes", { min: 0, max: LONGEST }],
    ["nodes", "nodes", "nodes", { min: 1, max: SIZE }],
    ["walltime", "asks for", "minutes that it asks for", { min: 1, max: LONGEST }],
    ["runtime", "needs", "minutes that it needs", { min: 1, max: LONGEST }],
  ];
  const PACE = 1600; // milliseconds from one event to the next, where the reader lets it run
  const LEFT = 62;
  const WIDTH = 520;
  const ROW = 34;

  // ---- Words

  const list = (names) => names.join(" and ").replace(/ and (?=.* and )/g, ", ");
  const areFree = (count) => `${plural(count, "node")} ${count === 1 ? "is" : "are"} free`;
  const minutes = (count) => `${count} min`;

  function words({ name, what, job, free, head, end, start: promised, spare }) {
    const asks = `${name} asks for ${plural(job.nodes, "node")} and ${minutes(job.walltime)}`;
    const left = `${spare} of the nodes ${spare === 1 ? "is" : "are"} left over`;
    switch (what) {
      case "turn":
        return `${name} is first in line, and ${areFree(job.nodes)}: it starts.`;
      case "promise":
        return `${name} is first in line and needs ${plural(job.nodes, "node")}; ` +
          `${free} ${free === 1 ? "is" : "are"} free. It is promised minute ${promised}.`;
      case "before":
        return `${asks}: it ends by minute ${end}, in time for the ${promised} that ${head} is promised. It starts.`;
      case "beside":
        return `${asks}: it may reach past minute ${promised}, since ${left} when ${head} starts. It starts.`;
      case "long":
        return `${asks}: it might run until minute ${end}, past the ${promised} that ${head} is promised. It waits.`;
      case "wide":
        return `${asks}, and ${free === 0 ? "no node is free" : `only ${areFree(free)}`}. It waits.`;
      default:
        return `${name} stands behind ${head}. It waits.`;
    }
  }

  function tell({ minute, ended, came, decided }) {
    const what = [];
    if (ended.length) what.push(`${list(ended)} ${ended.length === 1 ? "ends" : "end"}.`);
    if (came.length) what.push(`${list(came)} ${came.length === 1 ? "comes" : "come"}.`);
    return `Minute ${minute}. ${[...what, ...decided.map(words)].join(" ")}`;
  }

  // ---- Picture

  // Neighbouring node numbers as [first, count].
  function blocks(nodes) {
    const found = [];
    for (const node of nodes) {
      const last = found.at(-1);
      if (last && last[0] + last[1] === node) last[1] += 1;
      else found.push([node, 1]);
    }
    return found;
  }

  // The nodes against time, as known at minute `now` (null: when all is over): what ran, and what the scheduler counts
  // on of the jobs that still run; the promise that it has given.
  function picture({ runs, promises }, now, alt) {
    const known = now === null ? runs : runs.filter((run) => run.start <= now);
    const last = Math.max(60, ...runs.map((run) => run.expected), ...promises.map((one) => one.start));
    const step = [10, 20, 30, 60, 120].find((size) => last / size <= 6) ?? 240;
    const x = (minute) => LEFT + ((WIDTH - LEFT - 14) * minute) / last;
    const bottom = 24 + SIZE * ROW;
    const svg = draw("svg", { viewBox: `0 0 ${WIDTH} ${bottom + 26}`, role: "img", "aria-label": alt });
    svg.append(draw("rect", { x: LEFT, y: 24, width: WIDTH - LEFT - 14, height: SIZE * ROW, class: "wk-ground" }));
    for (let node = 0; node < SIZE; node++) {
      svg.append(draw("text", { x: LEFT - 6, y: 24 + node * ROW + 22, "text-anchor": "end" }, `node ${node + 1}`));
    }
    for (let minute = 0; minute <= last; minute += step) {
      svg.append(draw("line", { x1: x(minute), x2: x(minute), y1: 24, y2: bottom, class: "wk-tick" }));
      svg.append(draw("text", { x: x(minute), y: bottom + 18, "text-anchor": "middle" }, String(minute)));
    }
    // Frames first: nodes that a job gave back early may belong to another one.
    for (const run of known) for (const one of blocks(run.nodes)) svg.append(frame(run, one, x));
    for (const run of known) for (const one of blocks(run.nodes)) svg.append(...bar(run, one, x, now ?? run.end));
    const promise = now === null ? null : promises.findLast((one) => one.minute === now);
    if (promise) {
      const left = x(promise.start) > WIDTH / 2;
      const place = { x: x(promise.start) + (left ? 6 : -6), y: 16, "text-anchor": left ? "end" : "start" };
      svg.append(mark(x(promise.start), bottom, "wk-promise"));
      svg.append(draw("text", { ...place, class: "wk-promise" }, `promised to ${promise.name}: ${promise.start}`));
    }
    if (now !== null) svg.append(mark(x(now), bottom, "wk-now"));
    return svg;
  }

  const mark = (x, bottom, name) => draw("line", { x1: x, x2: x, y1: 20, y2: bottom, class: name });
  const area = (from, to, [first, count], x) => ({
    x: x(from),
    y: 24 + first * ROW + 1,
    width: Math.max(0, x(to) - x(from)),
    height: count * ROW - 2,
  });
  const frame = (run, block, x) => draw("rect", { ...area(run.start, run.expected, block, x), class: "wk-frame" });

  function bar(run, block, x, now) {
    const place = area(run.start, Math.min(run.end, now), block, x);
    const name = run.job.name + (run.backfilled ? "*" : "");
    // A bar too short for its name has it in the middle of its frame, or beside it.
    const whole = Math.max(place.width, area(run.start, run.expected, block, x).width);
    const middle = place.width > 18 ? place.x + place.width / 2 : place.x + Math.max(whole / 2, 10);
    const centre = { x: middle, y: place.y + place.height / 2 + 6, "text-anchor": "middle" };
    const shape = draw("rect", { ...place, class: run.backfilled ? "wk-bar wk-overtook" : "wk-bar" });
    return [shape, draw("text", { ...centre, class: "wk-name" }, name)];
  }

  // ---- The page

  class Queue {
    constructor(place) {
      this.jobs = JOBS.map((job) => ({ ...job }));
      this.policy = choice(Object.entries(POLICIES), "easy", () => this.update());
      this.moment = make("input", { type: "range", min: 0, step: 1, oninput: () => this.show() });
      this.back = button("One back", () => this.go(this.at() - 1));
      this.next = button("Next event", () => this.go(this.at() + 1));
      this.run = button("Let it run", () => this.toggle());
      this.add = button("Add a job", () => this.addJob());
      const reset = button("As on this page", () => this.fill(JOBS.map((job) => ({ ...job }))));
      this.said = status();
      this.figure = make("div", { className: "wk-picture" });
      this.body = make("tbody");
      this.decided = make("ol");
      const heads = ["Job", ...COLUMNS.map(([, heading]) => heading), "starts", "waits"];
      const row = make("tr", {}, heads.map((text) => make("th", { scope: "col" }, text)));
      place.append(
        make("table", {}, make("caption", {}, `${SIZE} nodes; times in minutes`), make("thead", {}, row), this.body),
        make("div", { className: "wk-row" }, labelled("Order", this.policy), this.add, reset),
        this.figure,
        make("div", { className: "wk-row" }, labelled("Event", this.moment), this.back, this.next, this.run),
        this.said,
        make("details", {}, make("summary", {}, "All that the scheduler decides"), this.decided),
      );
      this.fill(this.jobs);
    }

    // The last place of the slider is the whole schedule.
    at() {
      return Number(this.moment.value);
    }
    go(place) {
      this.moment.value = String(place);
      this.show();
    }

    toggle() {
      if (this.timer) return this.stop();
      if (this.at() >= this.result.events.length - 1) this.go(0);
      this.run.textContent = "Stop";
      this.timer = setInterval(() => {
        this.go(this.at() + 1);
        if (this.at() >= this.result.events.length) this.stop();
      }, PACE);
    }
    stop() {
      clearInterval(this.timer);
      this.timer = null;
      this.run.textContent = "Let it run";
    }

    fill(jobs) {
      this.jobs = jobs;
      this.rows = jobs.map((job) => this.row(job));
      this.body.replaceChildren(...this.rows.map((row) => row.element));
      this.update();
    }

    row(job) {
      const fields = COLUMNS.map(([key, , called, limits]) => {
        const field = number(job[key], { ...limits, required: true }, () => this.update());
        field.setAttribute("aria-label", `${job.name}, ${called}`);
        return [key, `${job.name}, ${called}`, field];
      });
      const [starts, waits] = [make("td"), make("td")];
      const cells = fields.map(([, , field]) => make("td", {}, field));
      const element = make("tr", {}, make("th", { scope: "row" }, job.name), cells, starts, waits);
      return { job, fields, element, starts, waits };
    }

    addJob() {
      const name = String.fromCharCode(65 + this.jobs.length);
      const last = Math.max(...this.jobs.map((job) => job.submit));
      this.fill([...this.jobs, { name, submit: Math.min(last + 1, LONGEST), nodes: 1, walltime: 20, runtime: 15 }]);
      this.rows.at(-1).fields[1][2].focus();
    }

    // Reads the fields, and plays all from the beginning; the picture stays while a field is empty or out of bounds.
    update() {
      this.stop();
      this.add.disabled = this.jobs.length >= MOST;
      const problem = wrong(this.rows.flatMap(({ fields }) => fields.map(([, called, field]) => [called, field])));
      if (problem) return this.said.replaceChildren(problem);
      for (const { job, fields } of this.rows) for (const [key, , field] of fields) job[key] = Number(field.value);
      this.result = simulate(this.jobs, SIZE, this.policy.value);
      this.other = simulate(this.jobs, SIZE, this.policy.value === "easy" ? "fifo" : "easy");
      for (const { job, starts, waits } of this.rows) {
        const run = this.result.runs.find((one) => one.job.name === job.name);
        starts.textContent = String(run.start) + (run.backfilled ? "*" : "");
        waits.textContent = String(run.start - job.submit);
      }
      this.decided.replaceChildren(...this.result.events.map((event) => make("li", {}, tell(event))));
      this.moment.max = String(this.result.events.length);
      this.go(this.result.events.length);
    }

    summary() {
      const [wait, other] = [meanWait(this.result.runs), meanWait(this.other.runs)];
      const cut = this.jobs.filter((job) => job.runtime > job.walltime).map((job) => job.name);
      const overtook = this.result.runs.filter((run) => run.backfilled).map((run) => run.job.name);
      const [mine, others] = this.policy.value === "easy" ? ["easy", "fifo"] : ["fifo", "easy"];
      const title = POLICIES[mine][0].toUpperCase() + POLICIES[mine].slice(1);
      return [
        `${title}: mean wait ${wait.toFixed(0)} min (${POLICIES[others]} ${other.toFixed(0)}), `,
        `all done at minute ${makespan(this.result.runs)}.`,
        overtook.length ? ` Overtook others (*): ${list(overtook)}.` : "",
        cut.length ? ` Cut off before ${cut.length === 1 ? "it was" : "they were"} done: ${list(cut)}.` : "",
      ].join("");
    }

    show() {
      const event = this.result.events[this.at()];
      const text = event ? tell(event) : this.summary();
      const starts = this.result.runs.map((run) => `${run.job.name} from ${run.start} to ${run.end}`);
      const alt = event ? `The nodes at minute ${event.minute}` : `When jobs run: ${starts.join(", ")}`;
      this.figure.replaceChildren(picture(this.result, event ? event.minute : null, alt));
      this.said.replaceChildren(text);
      this.moment.setAttribute("aria-valuetext", event ? `minute ${event.minute}` : "all is over");
      this.back.disabled = this.at() === 0;
      this.next.disabled = !event;
      // Nothing moves by itself for those who asked for that.
      this.run.hidden = matchMedia("(prefers-reduced-motion: reduce)").matches;
    }
  }

  start("queue", (place) => new Queue(place));
})();
