// Ranks and devices: nodes, GPUs and a launcher, and who is who.
"use strict";

(() => {
  const { make, number, choice, labelled, wrong, status, plural, start } = workshopPlay.parts;
  const { LAUNCHERS, name, who } = workshopPlay.ranks;

  const row = (...fields) => make("div", { className: "wk-row" }, fields.map(([text, field]) => labelled(text, field)));

  class Ranks {
    constructor(place) {
      const update = () => this.update();
      this.launcher = choice(Object.keys(LAUNCHERS).map((one) => [one, one]), "srun torchrun", () => this.suggest());
      this.nodes = number(2, { min: 1, max: 4, required: true }, update);
      this.gpus = number(2, { min: 1, max: 8, required: true }, update);
      this.tasks = choice([["one", "1"], ["gpu", "one for each GPU"]], "one", update);
      this.shown = choice([["all", "all GPUs of its node"], ["one", "one GPU of its own"]], "all", update);
      this.command = make("code");
      this.said = status();
      this.places = make("div", { className: "wk-nodes" });
      place.append(
        row(["Nodes", this.nodes], ["GPUs of each", this.gpus], ["Launcher", this.launcher]),
        row(["It starts, on each node", this.tasks], ["Each of these sees", this.shown]),
        make("p", {}, this.command),
        this.said,
        this.places,
      );
      this.suggest();
    }

    // Another launcher wants another number of tasks: the right one is taken, and may be changed.
    suggest() {
      const kind = LAUNCHERS[this.launcher.value];
      this.tasks.value = kind.agents || kind.fixed ? "one" : "gpu";
      this.tasks.disabled = Boolean(kind.fixed);
      this.update();
    }

    update() {
      const problem = wrong([["nodes", this.nodes], ["GPUs of each", this.gpus]]);
      if (problem) return this.said.replaceChildren(problem);
      const [nodes, gpus] = [Number(this.nodes.value), Number(this.gpus.value)];
      const tasks = this.tasks.value === "one" ? 1 : gpus;
      const found = who(this.launcher.value, nodes, gpus, tasks, this.shown.value);
      this.command.replaceChildren(...make("span", {}, found.command).childNodes);
      this.said.replaceChildren(...make("p", {}, this.tell(found, nodes, gpus)).childNodes);
      const drawn = Array.from({ length: nodes }, (_, node) => this.node(node, gpus, found));
      this.places.replaceChildren(...drawn);
    }

    tell(found, nodes, gpus) {
      const kind = LAUNCHERS[this.launcher.value];
      if (found.refused) {
        const ranks = found.tasks * gpus;
        return `Each torchrun starts ${plural(gpus, "rank")}: ${ranks} a node, for ${plural(gpus, "GPU")}. ` +
          `launch.py refuses: “${found.refused}”.`;
      }
      const [first] = found.processes;
      const told = kind.told.length ? ` Each rank reads ${kind.told.join(", ")}.` : "";
      const size = `The world size is ${first.worldSize}.`;
      const bad = found.processes.find((one) => one.refused);
      if (bad) return `${size} launch.py refuses: “${bad.refused}”. One torchrun needs all GPUs of its node.`;
      const have = `${plural(found.idle, "GPU")} of ${nodes * gpus} ${found.idle === 1 ? "has" : "have"}`;
      const idle = found.idle ? ` ${have} nothing to do.` : "";
      const why = kind.alone && nodes > 1 ? " It starts nothing on other nodes." : "";
      return `${size}${told}${why}${idle}`;
    }

    // One node with its GPUs, and the rank that takes each.
    node(node, gpus, found) {
      const items = Array.from({ length: gpus }, (_, gpu) => {
        const one = found.refused ? null : found.processes.find((rank) => rank.node === node && rank.gpu === gpu);
        const head = make("span", { className: "wk-gpu" }, `GPU ${gpu}`);
        if (!one) return make("li", { className: "wk-idle" }, head, found.refused ? " refused" : " idle");
        if (one.refused) return make("li", { className: "wk-idle" }, head, ` rank ${one.rank}: refused`);
        const text = ` rank ${one.rank}, local rank ${one.localRank}, `;
        return make("li", {}, head, text, make("code", {}, one.device));
      });
      const title = make("p", {}, make("strong", {}, `node ${name(node)}`));
      return make("div", { className: "wk-node" }, title, make("ul", {}, items));
    }
  }

  start("ranks", (place) => new Ranks(place));
})();
