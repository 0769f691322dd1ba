// The reader's own cluster: chosen once, then each job script on the pages is the one for it, as `workshop fill` writes
// it (filled.js, made when the site is built). What was recorded stays as it is; without JavaScript all is generic.
"use strict";

(() => {
  const KEY = "workshop-my-cluster";
  const TABS = "sphinx-design-tab-id-scheduler"; // where sphinx-design keeps the reader's tab
  const ACCOUNT = /^[\w.@:+-]+$/;
  const NOTHING = { site: "", account: "" };

  // A browser may refuse to store anything: the choice then holds for the page.
  function recall() {
    try {
      const kept = { ...NOTHING, ...JSON.parse(localStorage.getItem(KEY)) };
      return { site: String(kept.site), account: ACCOUNT.test(kept.account) ? kept.account : "" };
    } catch {
      return { ...NOTHING };
    }
  }

  function remember(choice) {
    try {
      if (choice.site) localStorage.setItem(KEY, JSON.stringify(choice));
      else localStorage.removeItem(KEY);
    } catch {
      // the choice holds for this page
    }
  }

  let loading = null;
  function load() {
    loading ??= new Promise((loaded, failed) => {
      const script = document.createElement("script");
      script.src = `${document.documentElement.dataset.content_root}_static/filled.js`;
      script.onload = () => loaded(window.workshopFilled);
      script.onerror = () => failed(new Error(`${script.src} could not be loaded`));
      document.head.append(script);
    });
    return loading;
  }

  function make(tag, properties = {}, ...children) {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  }

  // Text in which no line ends behind an option's hyphens (workshop.css).
  const OPTION = /(?<![^\s([{"'=,|/])(--?[A-Za-z][\w-]*)/;
  const whole = (text) =>
    text.split(OPTION).map((piece, place) => (place % 2 ? make("span", { className: "wk-option" }, piece) : piece));

  const textOf = (html) => {
    const holder = document.createElement("template");
    holder.innerHTML = html;
    return holder.content.textContent;
  };

  // ---- Scripts on the page

  const originals = new WeakMap(); // a listing's HTML as the page came

  // The lines from the first one that has `from` to the first one behind that has `to`, as the page's listing has them.
  function part(lines, from, to) {
    const has = (text) => (line) => textOf(line).includes(text);
    const start = from ? lines.findIndex(has(from)) : 0;
    if (start < 0) return null;
    const end = to ? lines.slice(start).findIndex(has(to)) : lines.length;
    return end < 0 ? null : lines.slice(start, start + end + 1);
  }

  // Lines of the script for the reader, as HTML; those that the generic script does not have are marked.
  function readersLines(data, name, made, account) {
    const generic = new Set(data.generic[name]);
    const numbers = account && made.named ? made.named : made.text;
    return numbers.map((number) => {
      const line = account ? data.lines[number].replaceAll(data.account, account) : data.lines[number];
      return generic.has(number) || !textOf(line).trim() ? line : `<mark class="wk-changed">${line}</mark>`;
    });
  }

  function download(name, lines) {
    const file = name.split("/").pop();
    const text = lines.map(textOf).join("\n") + "\n";
    const href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
    return make("a", { className: "wk-download", href, download: file }, `Download ${file}`);
  }

  // What stands below a listing: for whom it is, and why it differs from the generic one.
  function below(site, made, name, lines) {
    const said = make("p", {}, make("strong", {}, `For ${site.title}`), ": filled and checked, not run there. ");
    said.append(download(name, lines));
    const box = make("div", { className: "wk-for" }, said, there(site, name));
    for (const warning of made.warnings) box.append(make("p", { className: "wk-warning" }, ...whole(warning)));
    const changed = lines.some((line) => line.startsWith("<mark"));
    if (made.notes.length) {
      const title = changed ? "What was changed (lines with a bar), and what to know" : "What to know";
      const notes = made.notes.map((note) => make("li", {}, ...whole(note)));
      box.append(make("details", {}, make("summary", {}, title), make("ul", {}, ...notes)));
    }
    return box;
  }

  // What is typed there, and where the rest of the cluster stands.
  function there(site, name) {
    const submit = make("code", {}, site.submit.replace("FILE", name.split("/").pop()));
    const href = `${document.documentElement.dataset.content_root}clusters/${site.name}.html`;
    const page = make("a", { href }, `More on ${site.title}`);
    return make("p", { className: "wk-there" }, "Submit it there: ", submit, ". ", page, ": logging in, partitions, software.");
  }

  function stays(site, reason) {
    const said = make("p", {}, make("strong", {}, `Not for ${site.title}`), ": ", ...whole(reason));
    return make("div", { className: "wk-for wk-generic" }, said);
  }

  function showScript(block, data, site, account) {
    const code = block.querySelector("pre");
    if (!originals.has(code)) originals.set(code, code.innerHTML);
    block.querySelector(".wk-for")?.remove();
    const { script, startAt, endAt, diff } = block.dataset;
    const [lines, box] = site ? readers(data, site, account, script, { startAt, endAt, diff }) : [null, null];
    code.innerHTML = lines ? lines.join("\n") + "\n" : originals.get(code);
    if (box) block.append(box);
    code.dispatchEvent(new Event("scroll")); // it may be wider now, or narrower: workshop.js looks
  }

  // Lines (null: the generic ones stay) and what is said below them.
  function readers(data, site, account, name, { startAt, endAt, diff }) {
    const scheduler = data.schedulers[name.split("/")[0]];
    const own = data.schedulers[site.scheduler] ?? site.scheduler;
    if (scheduler !== own) return [null, stays(site, `it runs ${own}. This is the generic script for ${scheduler}.`)];
    if (diff) return [null, stays(site, "two generic scripts compared.")];
    const made = data.filled[site.name][name];
    if (made.refused) return [null, stays(site, `${made.refused} The generic script stays.`)];
    const lines = readersLines(data, name, made, account);
    const shown = part(lines, startAt, endAt);
    if (!shown) return [null, stays(site, "a part of the generic script.")];
    return [shown, below(site, made, name, lines)];
  }

  function showScripts(data, choice) {
    const site = data.sites.find((one) => one.name === choice.site);
    const account = site?.account.rule === "none" ? "" : choice.account;
    for (const block of document.querySelectorAll(".wk-script")) showScript(block, data, site, account);
  }

  function openTabs(scheduler) {
    const label = document.querySelector(`.sd-tab-label[data-sync-group="scheduler"][data-sync-id="${scheduler}"]`);
    if (label) document.getElementById(label.htmlFor)?.click();
    try {
      localStorage.setItem(TABS, scheduler);
    } catch {
      // the tabs of this page are open
    }
  }

  // ---- The picker

  const badge = (site) => (["live", "software"].includes(site.status) ? "" : ` (${site.status.replace("-", " ")})`);

  function options(data) {
    const group = (label, sites) =>
      make("optgroup", { label }, ...sites.map((site) => make("option", { value: site.name }, site.title + badge(site))));
    const clusters = data.sites.filter((site) => site.status !== "software");
    const kinds = data.sites.filter((site) => site.status === "software");
    const none = make("option", { value: "" }, "None: generic scripts");
    return [none, group("Clusters", clusters), group("Another cluster, or none", kinds)].filter(
      (entry) => entry === none || entry.children.length,
    );
  }

  class Picker {
    constructor(button) {
      this.button = button;
      this.choice = { ...NOTHING };
      this.dialog = null;
      button.addEventListener("click", () => this.open());
    }

    label(site) {
      this.button.querySelector("span").textContent = site ? site.title : "My cluster";
      this.button.classList.toggle("wk-chosen", Boolean(site));
      for (const link of document.querySelectorAll("a.wk-open-picker")) {
        link.dataset.generic ??= link.textContent;
        link.textContent = site ? `My cluster: ${site.title}` : link.dataset.generic;
      }
    }

    // Makes the page the reader's; `fresh`: they have just chosen, so the scheduler's tabs open as well.
    async apply(choice, fresh) {
      this.choice = choice;
      if (!choice.site && !loading) return;
      let data;
      try {
        data = await load();
      } catch (error) {
        this.button.title = `Your cluster's scripts are not shown: ${error.message}`;
        return;
      }
      const site = data.sites.find((one) => one.name === choice.site);
      if (choice.site && !site) {
        this.choice = { ...NOTHING };
        await this.open(`This site knows no cluster '${choice.site}'. Choose one:`);
        return;
      }
      if (fresh) remember(choice);
      showScripts(data, choice);
      this.label(site);
      if (site && fresh) openTabs(site.scheduler);
      document.documentElement.dataset.cluster = choice.site; // the page is the reader's now
    }

    async open(message = "") {
      const data = await load();
      if (!this.dialog) this.build(data);
      this.message.textContent = message;
      this.select.value = this.choice.site;
      this.account.value = this.choice.account;
      this.tell(data);
      this.dialog.showModal();
    }

    build(data) {
      this.select = make("select", { id: "wk-cluster", className: "form-select" }, ...options(data));
      this.account = make("input", { id: "wk-account", className: "form-control", autocomplete: "off", spellcheck: false });
      this.account.pattern = "[\\w.@:+\\-]+";
      this.account.title = "letters, digits and . _ @ : + -";
      this.hint = make("small", { id: "wk-account-hint" });
      this.account.setAttribute("aria-describedby", "wk-account-hint");
      this.who = make("p", {}, make("label", { htmlFor: "wk-account" }, "Account or project"), this.account, this.hint);
      this.about = make("p", { className: "wk-about" });
      this.message = make("p", { role: "status" });
      const title = make("h2", { id: "wk-picker-title" }, "My cluster");
      const text = "Choose it once: the job scripts on all pages become those for it. The choice stays in this browser.";
      const use = make("button", { className: "btn btn-primary", value: "use" }, "Use it");
      const cancel = make("button", { className: "btn", value: "cancel", formNoValidate: true }, "Cancel");
      const form = make("form", { method: "dialog" }, title, make("p", {}, text), this.message);
      const which = make("p", {}, make("label", { htmlFor: "wk-cluster" }, "Cluster"), this.select);
      form.append(which, this.about, this.who, make("div", {}, use, " ", cancel));
      this.dialog = make("dialog", { className: "wk-picker" }, form);
      this.dialog.setAttribute("aria-labelledby", title.id);
      this.select.addEventListener("change", () => {
        this.account.value = "";
        this.tell(data);
      });
      form.addEventListener("submit", (event) => {
        if (event.submitter?.value === "use") {
          this.apply({ site: this.select.value, account: this.who.hidden ? "" : this.account.value.trim() }, true);
        }
      });
      document.body.append(this.dialog);
    }

    // What the chosen site is, and what it wants as an account.
    tell(data) {
      const site = data.sites.find((one) => one.name === this.select.value);
      this.who.hidden = !site || site.account.rule === "none";
      this.about.replaceChildren();
      if (!site) return;
      const { form, rule, find } = site.account;
      const words = [rule === "optional" && "may be left out", form && `looks like ${form}`, find && `${find} lists yours`];
      this.hint.textContent = words.filter(Boolean).join("; ");
      const state = `${data.schedulers[site.scheduler] ?? site.scheduler}; ${site.status_text}`;
      const link = new URL(location.href);
      link.search = `?site=${site.name}`;
      this.about.append(`${state}. `, make("a", { href: link.href }, "Link to this page for it"));
    }
  }

  function pickHere() {
    const place = document.querySelector(".article-header-buttons");
    if (!place) return;
    const icon = make("i", { className: "fas fa-server" });
    icon.setAttribute("aria-hidden", "true");
    const button = make("button", { type: "button", className: "btn btn-sm wk-pick" }, icon, make("span", {}, "My cluster"));
    button.setAttribute("aria-haspopup", "dialog");
    place.prepend(button);
    const picker = new Picker(button);
    for (const link of document.querySelectorAll("a.wk-open-picker")) {
      link.addEventListener("click", (event) => {
        event.preventDefault();
        picker.open();
      });
    }
    const kept = recall();
    const linked = new URLSearchParams(location.search).get("site");
    if (linked === null) picker.apply(kept, false);
    else picker.apply({ site: linked, account: linked === kept.site ? kept.account : "" }, true);
    // A page that comes back from the browser's history, or lies in another window.
    window.addEventListener("pageshow", (event) => event.persisted && picker.apply(recall(), false));
    window.addEventListener("storage", (event) => event.key === KEY && picker.apply(recall(), false));
  }

  document.addEventListener("DOMContentLoaded", pickHere);
})();
