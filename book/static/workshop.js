// What the pages do beyond the theme. One file, no framework; a page without JavaScript is whole.
"use strict";

(() => {
  // The theme restores how far the sidebar was scrolled on the page before: the current page may be out of sight.
  function showCurrentPage(sidebar) {
    const here = [...sidebar.querySelectorAll(".bd-sidenav a.current")].pop();
    if (!here) return;
    const box = here.getBoundingClientRect();
    const seen = sidebar.getBoundingClientRect();
    const bottom = Math.min(seen.bottom, window.innerHeight);
    if (box.top < Math.max(seen.top, 0) || box.bottom > bottom) {
      sidebar.scrollTop += (box.top + box.bottom) / 2 - (Math.max(seen.top, 0) + bottom) / 2;
    }
  }

  function followCurrentPage() {
    const sidebar = document.querySelector("#pst-primary-sidebar");
    if (sidebar) new ResizeObserver(() => showCurrentPage(sidebar)).observe(sidebar); // now, and in a smaller window
    // On a narrow screen the theme moves the sidebar's content into a dialog.
    const menu = document.querySelector("#pst-primary-sidebar-modal");
    if (menu) {
      new MutationObserver(() => menu.open && showCurrentPage(menu)).observe(menu, {
        attributeFilter: ["open"],
      });
    }
  }

  // What is wider than its box fades out at the right (workshop.css), until it is scrolled to its end.
  const WIDE = "pre, .pst-scrollable-table-container, .cell_output .output";

  function markCut(box) {
    if (box.scrollWidth > box.clientWidth + 1) box.tabIndex = 0; // at once: the theme waits before it does so
    box.classList.toggle("wk-cut", box.scrollWidth - box.clientWidth - box.scrollLeft > 1);
  }

  function markAllCut() {
    const sizes = new ResizeObserver((entries) => entries.forEach((entry) => markCut(entry.target)));
    for (const box of document.querySelectorAll("article")) {
      for (const wide of box.querySelectorAll(WIDE)) {
        sizes.observe(wide); // a tab that is opened, a window that is made narrower
        wide.addEventListener("scroll", () => markCut(wide), { passive: true });
      }
    }
  }

  // The theme lets the keyboard reach what scrolls, but looks only when the window changes its size: a tab or a
  // folded part that is opened later would be left out.
  function reachOpened() {
    const look = () => window.dispatchEvent(new Event("resize"));
    for (const choice of document.querySelectorAll(".sd-tab-set > input")) choice.addEventListener("change", look);
    for (const folded of document.querySelectorAll("article details")) folded.addEventListener("toggle", look);
  }

  // ---- Search: entries are sections, messages and words of the glossary (searchdata.js, made when the site is built).

  const STOP = new Set(
    ("a an and are as at be by do does for from get how i if in is it its me my of on or so that the their there this " +
      "to use using was what when where which who why will with you your").split(" "),
  );

  // Words of a text; an option also counts as a whole ("gpus-per-node").
  function words(text) {
    return [...(text.match(/[\p{L}\p{N}_]+/gu) ?? []), ...(text.match(/[\p{L}\p{N}_]+(?:-[\p{L}\p{N}_]+)+/gu) ?? [])];
  }

  // Ids and dates differ from reader to reader (137 may be an exit code); "GPUs" is "GPU".
  function word(raw) {
    const term = raw.toLowerCase();
    if (STOP.has(term) || /^\d[\d_-]{3,}$/.test(term) || (term.length > 7 && /^[0-9a-f]+$/.test(term))) return null;
    return term.length > 3 && /[^sui]s$/.test(term) ? term.slice(0, -1) : term;
  }

  // Other words for the same thing.
  const SYNONYMS = [
    [/\bqsub\b/i, "pbs"],
    [/\bbsub\b/i, "lsf"],
    [/\bsbatch\b/i, "slurm"],
    [/\bsingularity\b|\bdocker\b/i, "apptainer container"],
    [/\b(two|2|four|4|several|multiple)[ -]?gpus?\b|\bmulti[ -]?gpu\b/i, "ddp"],
    [/\bmulti[ -]?nodes?\b|\bmultiple nodes\b|\b(two|2) nodes\b/i, "ddp many nodes"],
    [/\boom\b/i, "memory oom_kill"],
    [/\bvirtual ?env(ironment)?\b|\bvenv\b/i, "venv virtual environment"],
    [/\bnotebooks?\b|\bjupyter\b/i, "jupyterlab"],
  ];

  const ERROR = /error|fail|invalid|cannot|can't|denied|refused|killed|timed? ?out|\bnot?\b|exit code|[:()*]/i;

  // How much what stands where counts.
  function importance(page, anchor, title, isFirst) {
    if (/^(Sources|Exercises|Tidy up|Check your exercise|When it goes wrong)$/.test(title) && !isFirst) return 0.3;
    if (page.startsWith("notebooks/")) return 0.5;
    if (/^(index|book\/(references|teaching|adapting|self_study|workshop_command))$/.test(page)) return 0.6;
    return isFirst ? 1.2 : 1;
  }

  const WEIGHTS = { cause: 1, ending: 0.8, weak: 0.5, hint: 0.5, note: 0.3, consequence: 0.2 };

  // A line as the patterns of messages see it: one kind of quotation marks, single blanks.
  const plain = (line) => line.replace(/[`\u00b4\u2018\u2019\u201c\u201d"]/g, "'").replace(/\s+/g, " ").trim();
  const letters = (text) => text.replace(/[^\p{L}\p{N}]/gu, "").length;

  // The entries whose message stands in what was typed or pasted: causes first, of a line the one that explains most.
  function findMessages(messages, text) {
    const found = new Map();
    for (const [number, line] of text.split("\n").map(plain).filter(Boolean).entries()) {
      for (const { id, kind, wordings } of messages) {
        for (const [pattern, weight] of wordings) {
          if (!pattern.test(line)) continue;
          if (weight < 12 && weight < 0.3 * letters(line)) continue; // too little of the line
          const score = (weight + 1000 / (number + 1)) * WEIGHTS[kind]; // what comes first is the cause of the rest
          if (score > (found.get(id) ?? 0)) found.set(id, score);
        }
      }
    }
    // What follows from another one that stands there as well explains less.
    for (const { id, follows } of messages) {
      if (found.has(id) && follows.some((other) => found.has(other))) found.set(id, found.get(id) / 10);
    }
    return [...found].sort((one, other) => other[1] - one[1]).map(([id]) => id);
  }

  function makeSearch(MiniSearch, data) {
    const wordings = new Map(data.messages.map(([id, , , texts]) => [id, texts.map(([text]) => text).join(" ")]));
    const messages = data.messages.map(([id, kind, follows, texts]) => ({
      id,
      kind,
      follows,
      wordings: texts.map(([, pattern, weight]) => [new RegExp(pattern), weight]),
    }));
    const seen = new Set();
    const entries = data.entries.map(([number, anchor, title, text, code], id) => {
      const [page, pageTitle] = data.pages[number];
      const isFirst = !seen.has(page);
      seen.add(page);
      const address = `${page}.html` + (isFirst ? "" : `#${anchor}`);
      const alias = data.aliases[`${page}#${anchor}`] ?? (isFirst && data.aliases[page]) ?? "";
      const more = page === "book/troubleshooting" ? (wordings.get(anchor) ?? "") : "";
      const factor = importance(page, anchor, title, isFirst);
      return { id, page, pageTitle, anchor, address, title, alias: alias || "", wordings: more, text, code, factor };
    });
    const index = new MiniSearch({
      fields: ["title", "pageTitle", "alias", "wordings", "text", "code"],
      tokenize: words,
      processTerm: word,
    });
    index.addAll(entries);

    // At most `most` entries for a query, the best first.
    function find(query, most = 10) {
      const added = SYNONYMS.filter(([said]) => said.test(query)).map(([, meant]) => meant);
      const typed = words(query);
      // In a long message numbers are lines, ranks and ports.
      const term = (raw) => (typed.length > 5 && /^\d+$/.test(raw) ? null : word(raw));
      const terms = new Set(typed.map(term).filter(Boolean));
      const error = ERROR.test(query) ? 1.2 : 0.8;
      const hits = index.search([query, ...added].join(" "), {
        boost: { title: 4, alias: 4, pageTitle: 1.2, wordings: 2, code: 0.5 },
        prefix: (said) => said.length > 2,
        fuzzy: (said) => (said.length > 5 ? 0.15 : false),
        weights: { fuzzy: 0.2, prefix: 0.4 },
        boostDocument: (id) => entries[id].factor * (entries[id].anchor.startsWith("msg-") ? error : 1),
        processTerm: term,
      });
      for (const hit of hits) {
        // An entry that has all words is better than one that has a rare one.
        const has = hit.queryTerms.filter((term) => terms.has(term)).length;
        hit.score *= 0.3 + (0.7 * has) / Math.max(terms.size, 1);
        if (plain(entries[hit.id].title).toLowerCase() === plain(query).toLowerCase()) hit.score *= 1.5;
      }
      hits.sort((one, other) => other.score - one.score);
      const first = findMessages(messages, query)
        .map((id) => entries.find((entry) => entry.anchor === id && entry.page === "book/troubleshooting"))
        .filter(Boolean);
      const rest = hits.map((hit) => entries[hit.id]).filter((entry) => !first.includes(entry));
      return [...first, ...rest].slice(0, most);
    }
    // Whether a text has a message that an entry explains.
    find.knows = (text) => findMessages(messages, text).length > 0;
    return find;
  }

  function load(name) {
    return new Promise((loaded, failed) => {
      const script = document.createElement("script");
      script.src = `${document.documentElement.dataset.content_root}_static/${name}`;
      script.onload = loaded;
      script.onerror = () => failed(new Error(`${script.src} could not be loaded`));
      document.head.append(script);
    });
  }

  let search = null;
  // Library and index (1.2 MB) are fetched when somebody searches, and once.
  window.workshopSearch = () => {
    search ??= Promise.all([load("minisearch.js"), load("searchdata.js")]).then(() =>
      makeSearch(window.MiniSearch, window.workshopSearchData),
    );
    return search;
  };

  // The part of an entry's text that has most of the searched words, with all of them marked.
  function excerpt(entry, query) {
    const terms = words(query).map(word).filter(Boolean);
    const text = entry.text || entry.code;
    const places = [...text.matchAll(/[\p{L}\p{N}_]+/gu)]
      .map((found) => [found.index, word(found[0])])
      .filter(([, meant]) => terms.includes(meant));
    const inReach = ([from]) => new Set(places.filter(([at]) => at >= from && at < from + 120).map(([, meant]) => meant)).size;
    // A message's entry begins with what it means.
    const best = entry.anchor.startsWith("msg-") ? null : places.reduce((one, other) => (one && inReach(one) >= inReach(other) ? one : other), null);
    const start = !best || best[0] < 80 ? 0 : text.indexOf(" ", best[0] - 60) + 1;
    const end = text.length > start + 180 ? text.lastIndexOf(" ", start + 180) : text.length;
    const part = (start ? "… " : "") + text.slice(start, end) + (end < text.length ? " …" : "");
    const shown = document.createElement("span");
    for (const piece of part.split(/(?<![\p{L}\p{N}_])(?=[\p{L}\p{N}_])|(?<=[\p{L}\p{N}_])(?![\p{L}\p{N}_])/u)) {
      const meant = word(piece);
      if (meant && terms.includes(meant)) {
        const mark = document.createElement("mark");
        mark.textContent = piece;
        shown.append(mark);
      } else shown.append(piece);
    }
    return shown;
  }

  function item(entry, query) {
    const row = document.createElement("li");
    const link = document.createElement("a");
    link.href = document.documentElement.dataset.content_root + entry.address;
    link.textContent = entry.title;
    const where = document.createElement("span");
    where.className = "wk-where";
    where.textContent = entry.title === entry.pageTitle ? "" : entry.pageTitle;
    const text = document.createElement("p");
    text.append(excerpt(entry, query));
    row.append(link, where, text);
    return row;
  }

  // Results appear below a field while one types.
  function answer(field, box, most, say = (found) => (found ? "" : "Nothing found: try other words.")) {
    const status = document.createElement("p");
    const list = document.createElement("ol");
    status.setAttribute("role", "status");
    box.classList.add("wk-results");
    box.replaceChildren(status, list);
    let asked = 0;
    const show = async () => {
      const [query, mine] = [field.value.trim(), ++asked];
      if (query.length < 2) {
        status.textContent = "";
        list.replaceChildren();
        return;
      }
      let found, known;
      try {
        const find = await window.workshopSearch();
        [found, known] = [find(query, most), find.knows(query)];
      } catch (error) {
        status.textContent = `The search does not work: ${error.message}.`;
        return;
      }
      if (mine !== asked) return; // something else has been typed since
      status.textContent = say(found.length, known);
      list.replaceChildren(...found.map((entry) => item(entry, query)));
    };
    field.addEventListener("input", show);
    // The arrow keys go from the field through the results.
    box.parentElement.addEventListener("keydown", (event) => {
      if (field.tagName === "TEXTAREA") return; // there they move in the text
      if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
      const stops = [field, ...list.querySelectorAll("a")];
      const next = stops[stops.indexOf(document.activeElement) + (event.key === "ArrowDown" ? 1 : -1)];
      if (!next) return;
      event.preventDefault();
      next.focus();
    });
    return show;
  }

  function searchHere() {
    if (document.documentElement.dataset.search !== "sections") return; // built without MiniSearch: Sphinx's search
    const dialog = document.querySelector("#pst-search-dialog");
    if (dialog) {
      const box = document.createElement("div");
      dialog.append(box);
      answer(dialog.querySelector("input"), box, 8);
    }
    const results = document.querySelector(".bd-search-container #search-results");
    if (results) {
      const form = document.querySelector(".bd-search-container form");
      const field = form.querySelector("input");
      field.value = new URLSearchParams(location.search).get("q") ?? "";
      const show = answer(field, results, 30);
      form.addEventListener("submit", (event) => event.preventDefault());
      field.addEventListener("input", () => {
        const address = new URL(location.href);
        address.searchParams.set("q", field.value);
        history.replaceState(null, "", address);
      });
      show();
    }
  }

  // On *When it goes wrong*: a message, or lines of a log, lead to the entry whose message they hold.
  function pasteHere() {
    const place = document.querySelector(".wk-paste");
    if (!place || document.documentElement.dataset.search !== "sections") return;
    const label = document.createElement("label");
    const field = document.createElement("textarea");
    const box = document.createElement("div");
    label.textContent = "Paste your error: it stays in your browser";
    field.rows = 3;
    field.spellcheck = false;
    label.append(field);
    place.prepend(label, box);
    answer(field, box, 3, (found, known) => {
      if (known) return "";
      return found ? "No message that this page knows. What comes nearest:" : "No message that this page knows.";
    });
  }

  document.addEventListener("DOMContentLoaded", () => {
    followCurrentPage();
    markAllCut();
    reachOpened();
    searchHere();
    pasteHere();
  });
})();
