// *Check my job script*: a form, the answers of the worker, and what can be done with them.
"use strict";

(() => {
  const folder = new URL(".", document.currentScript.src);
  const OPTION = /(?<![^\s([{"'=,|/])(--?[A-Za-z][\w-]*)/;

  // An element with its properties and what is in it; options stay whole at the end of a line.
  function make(tag, properties = {}, ...inside) {
    const element = Object.assign(document.createElement(tag), properties);
    for (const one of inside) {
      if (typeof one !== "string") element.append(one);
      else one.split(OPTION).forEach((part, n) => element.append(n % 2 ? makeOption(part) : part));
    }
    return element;
  }
  function makeOption(text) {
    const option = document.createElement("span");
    option.className = "wk-option";
    option.textContent = text;
    return option;
  }
  const plain = (tag, text, className = "") => Object.assign(make(tag), { textContent: text, className });
  const button = (text, onclick) => make("button", { type: "button", className: "wk-button", onclick }, text);
  const choice = (label, options) => {
    const select = make("select", {}, ...options.map(([value, text]) => plainOption(value, text)));
    return [make("label", {}, label, select), select];
  };
  const plainOption = (value, text) => Object.assign(plain("option", text), { value });

  const saveLink = (name, data) =>
    Object.assign(plain("a", `Save as ${name}`), {
      href: URL.createObjectURL(new Blob([data], { type: "text/plain" })),
      download: name,
    });

  const encode = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  const decode = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const TITLES = { slurm: "Slurm", pbs: "PBS", torque: "Torque", lsf: "LSF" };
  const ENDINGS = { slurm: ".sbatch", pbs: ".pbs", torque: ".pbs", lsf: ".lsf" };
  const PASTED = "job.sh";
  const LARGEST = 1_000_000; // bytes of a file: no job script has more

  // ---- The worker: one question after the other, each with its number.

  class Package {
    constructor(onprogress) {
      this.waiting = new Map();
      this.worker = new Worker(new URL("worker.mjs", folder), { type: "module" });
      this.worker.onmessage = ({ data }) => {
        if ("come" in data) return onprogress(data.come);
        const [done, failed] = this.waiting.get(data.number);
        this.waiting.delete(data.number);
        if ("problem" in data) failed(new Error(data.problem));
        else done(data.answer);
      };
      this.worker.onerror = (event) => {
        event.preventDefault();
        const problem = new Error(event.message || "a file could not be loaded");
        for (const [, failed] of this.waiting.values()) failed(problem);
      };
      this.count = 0;
    }

    ask(question) {
      return new Promise((done, failed) => {
        this.waiting.set(++this.count, [done, failed]);
        this.worker.postMessage({ number: this.count, question });
      });
    }
  }

  // ---- The page

  class Checker {
    constructor(place) {
      this.name = PASTED;
      this.bytes = new Uint8Array();
      this.total = Number(place.dataset.bytes);
      this.text = make("textarea", { rows: 14, spellcheck: false, autocapitalize: "off", wrap: "off" });
      this.text.oninput = () => this.edited();
      this.text.onpaste = () => {
        if (this.text.selectionEnd - this.text.selectionStart === this.text.value.length) this.name = PASTED;
      };
      const file = make("input", { type: "file" });
      file.onchange = () => file.files.length && this.take(file.files[0]);
      this.listenForDrops(place);
      this.go = button("Check it", () => this.check());
      this.progress = make("progress", { max: 1, hidden: true, ariaLabel: "Loading" });
      this.status = make("p", { role: "status" });
      const [schedulerLabel, scheduler] = choice("Scheduler", [
        ["", "found out from its lines"],
        ...Object.entries(TITLES),
      ]);
      this.scheduler = scheduler;
      place.replaceChildren(
        make("label", {}, "Your job script", this.text),
        make("div", { className: "wk-row" }, make("label", {}, "or its file (drop it here)", file), schedulerLabel),
        make("div", { className: "wk-row" }, this.go, this.progress),
        this.status,
        (this.results = make("div", { className: "wk-checked" })),
        (this.more = make("div", { hidden: true })),
        (this.made = make("div", { className: "wk-made" })),
      );
    }

    listenForDrops(place) {
      place.addEventListener("dragover", (event) => event.preventDefault());
      place.addEventListener("drop", (event) => {
        const [file] = event.dataTransfer.files;
        if (!file) return; // text goes where it is dropped
        event.preventDefault();
        this.take(file);
      });
    }

    // What was found is of another text: no change of it can be made any more.
    edited() {
      this.bytes = new TextEncoder().encode(this.text.value);
      for (const one of this.results.querySelectorAll("button")) one.disabled = true;
    }

    async take(file) {
      if (file.size > LARGEST) return this.say(`${file.name} has ${file.size} bytes: that is no job script.`);
      this.put(file.name, new Uint8Array(await file.arrayBuffer()));
      await this.check();
    }

    put(name, bytes) {
      this.name = name;
      this.bytes = bytes;
      this.text.value = new TextDecoder().decode(bytes);
    }

    say(text) {
      this.status.replaceChildren(...make("p", {}, text).childNodes);
    }

    // The package, loaded when it is asked for the first time; again where that failed.
    load() {
      this.loading ??= this.loadOnce().catch((problem) => {
        this.loading = null;
        throw problem;
      });
      return this.loading;
    }

    async loadOnce() {
      this.progress.hidden = false;
      this.progress.value = 0;
      this.say("Loading the checker: this takes some seconds, once.");
      const loading = new Package((come) => {
        this.progress.value = Math.min(come / this.total, 1);
        if (come >= this.total) this.say("Starting Python.");
      });
      try {
        this.sites = await loading.ask({ do: "start" });
      } catch (problem) {
        loading.worker.terminate();
        throw problem;
      } finally {
        this.progress.hidden = true;
      }
      this.package = loading;
      this.offerMore();
    }

    // One question on the script as it stands; null where there is no answer, which is then said.
    async ask(question) {
      this.go.disabled = true;
      try {
        await this.load();
        const asked = { name: this.name, data: encode(this.bytes), ...question };
        return await this.package.ask(asked);
      } catch (problem) {
        this.say(`That did not work: ${problem.message}`);
        return null;
      } finally {
        this.go.disabled = false;
      }
    }

    async check(site = "") {
      this.checkedFor = site;
      if (this.bytes.length === 0) return this.say("Paste a script first, or choose its file.");
      const answer = await this.ask({ do: "check", ...this.options() });
      if (!answer) return;
      this.made.replaceChildren();
      this.more.hidden = answer.status === 2;
      this.show(answer);
    }

    // How the script is read: the scheduler, where the reader named one; the cluster that it was checked for, if any.
    spelling() {
      return this.scheduler.value ? { scheduler: this.scheduler.value } : {};
    }
    options() {
      return this.checkedFor ? { ...this.spelling(), site: this.checkedFor } : this.spelling();
    }

    show(answer) {
      const findings = answer.json.findings;
      const count = (word) => findings.filter((finding) => finding.severity === word).length;
      const plural = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;
      const counts = ["error", "warning", "note"].map((word) => plural(count(word), word));
      this.say(`${counts.join(", ")}.`);
      const [head, ...rest] = answer.said.split("\n\n");
      const told = rest.map((part) => (part.startsWith("  ") ? plain("pre", part, "wk-wrap") : make("p", {}, part)));
      const starts = (answer.starts ?? []).map((line) => make("li", {}, line));
      if (starts.length) told.push(make("p", {}, "What it starts:"), make("ul", {}, ...starts));
      const mendable = new Set(answer.mendable);
      const row = make("div", { className: "wk-row" }, saveLink(this.name, this.bytes));
      if (mendable.size) row.prepend(button("Make all safe changes", () => this.mend()));
      const verdict = make("p", { className: "wk-verdict" }, head);
      this.results.replaceChildren(verdict, ...told, row, ...this.listing(answer, mendable));
    }

    // The script's lines, each with its findings below it; first what is true of the whole file.
    listing(answer, mendable) {
      const at = new Map();
      answer.json.findings.forEach((finding, n) => {
        const line = finding.line ?? 0;
        if (!at.has(line)) at.set(line, []);
        at.get(line).push(this.finding(finding, mendable.has(n) && n));
      });
      const lines = answer.lines ?? [];
      const ignored = new Set(answer.json.ignored_lines);
      const list = make("ol", { className: "wk-lines" });
      for (const [n, text] of lines.entries()) {
        const item = make("li", {}, plain("code", text || " "));
        if (ignored.has(n + 1)) item.append(plain("span", "has no effect", "wk-ignored"));
        item.append(...(at.get(n + 1) ?? []));
        list.append(item);
      }
      const elsewhere = [...at].filter(([line]) => line < 1 || line > lines.length).flatMap(([, found]) => found);
      return [...elsewhere, list];
    }

    // `place` is its place in the report, where it can be mended; else false.
    finding(finding, place) {
      const box = make("div", { className: `wk-finding wk-${finding.severity}` });
      const where = finding.line ? `line ${finding.line}` : "whole file";
      box.append(make("p", {}, make("strong", {}, `${finding.severity}, ${where}: `), finding.message));
      if (finding.fix) box.append(make("p", {}, "Write: ", plain("code", finding.fix)));
      const row = make("p", { className: "wk-row" });
      if (place !== false) row.append(button("Make this change", () => this.mend({ only: place })));
      if (finding.source) row.append(Object.assign(plain("a", "where this is documented"), { href: finding.source }));
      box.append(row);
      return box;
    }

    // All safe changes, or those of one finding; then the script is checked again.
    async mend(which = {}) {
      const answer = await this.ask({ do: "fix", ...this.options(), ...which });
      if (!answer?.after) return;
      const after = decode(answer.after);
      if (encode(after) === encode(this.bytes)) {
        return this.say("That change would bring another finding: it is yours to make.");
      }
      this.put(this.name, after);
      await this.check(this.checkedFor);
      this.status.scrollIntoView({ block: "nearest" });
    }

    // ---- Translated, filled

    offerMore() {
      const [toLabel, to] = choice("Translate it for", ["slurm", "pbs", "lsf"].map((name) => [name, TITLES[name]]));
      const [siteLabel, site] = choice("Cluster", [
        ["", "none"],
        ...this.sites.map((one) => [one.name, `${one.title} (${TITLES[one.scheduler]})`]),
      ]);
      const account = make("input", { type: "text", spellcheck: false, autocomplete: "off" });
      const state = make("p", { role: "status" });
      site.onchange = () => {
        const known = this.sites.find((one) => one.name === site.value);
        state.replaceChildren(...(known ? make("p", {}, `State: ${known.status}`).childNodes : []));
      };
      this.recall(site, account);
      site.onchange();
      const checked = () => (site.value ? this.check(site.value) : state.replaceChildren("Choose a cluster first."));
      const translated = () => this.makeAnother({ do: "translate", to: to.value, ...this.spelling() });
      const filled = () => {
        if (!site.value) return state.replaceChildren("Choose a cluster first.");
        const own = account.value.trim() ? { account: account.value.trim() } : {};
        return this.makeAnother({ do: "fill", site: site.value, ...own });
      };
      this.more.replaceChildren(
        make("div", { className: "wk-row" }, toLabel, button("Translate", translated)),
        make("div", { className: "wk-row" }, siteLabel, make("label", {}, "Your account there", account)),
        state,
        make("div", { className: "wk-row" }, button("Fill it in", filled), button("Check for this cluster", checked)),
      );
    }

    // The cluster that the reader chose on another page (my_cluster.js).
    recall(site, account) {
      try {
        const kept = JSON.parse(localStorage.getItem("workshop-my-cluster")) ?? {};
        if (this.sites.some((one) => one.name === kept.site)) site.value = kept.site;
        account.value = kept.account ?? "";
      } catch {
        // nothing is kept, or nothing that can be read
      }
    }

    async makeAnother(question) {
      const answer = await this.ask(question);
      if (!answer) return;
      if (!answer.json) {
        this.made.replaceChildren(make("p", { role: "alert" }, `Not possible: ${answer.said}`));
        return;
      }
      const { text, warnings = [], notes = [] } = answer.json;
      const scheduler = answer.json.to ?? this.sites.find((one) => one.name === question.site).scheduler;
      const site = answer.json.to ? "" : `-${question.site}`;
      const name = this.name.replace(/\.\w+$/, "") + site + ENDINGS[scheduler];
      const marks = answer.json.to ? answer.said.split("\n").filter(Boolean) : [...warnings, ...notes];
      const take = button("Go on with this script", async () => {
        this.put(name, new TextEncoder().encode(text));
        this.scheduler.value = "";
        await this.check();
        this.text.focus();
      });
      const told = make("ul", {}, ...marks.map((mark) => make("li", {}, mark)));
      this.made.replaceChildren(
        make("p", {}, site ? "Filled in, not run there." : `Translated for ${TITLES[scheduler]}.`),
        plain("pre", text, "wk-wrap"),
        ...(marks.length ? [told] : []),
        make("div", { className: "wk-row" }, take, saveLink(name, text)),
      );
    }
  }

  // From a disk browsers start no worker: one command serves the folder.
  function sayHowToServe(place) {
    const site = decodeURIComponent(new URL("../..", folder).pathname);
    const quoted = `'${site.replaceAll("'", "'\\''")}'`;
    const page = decodeURIComponent(location.pathname).slice(site.length);
    place.replaceChildren(
      make("p", {}, "Browsers run no such program in a page from a disk. This command serves the site:"),
      plain("pre", `python3 -m http.server --bind 127.0.0.1 --directory ${quoted}`, "wk-wrap"),
      make("p", {}, "Then open ", plain("code", `http://localhost:8000/${page}`), "."),
    );
  }

  for (const place of document.querySelectorAll(".wk-checker")) {
    if (location.protocol === "file:") sayHowToServe(place);
    else place.checker = new Checker(place);
  }
})();
