// What the things to play with have in common: elements, fields, a line that is read aloud. Without JavaScript their
// text stays as the page has it.
"use strict";

(() => {
  const OPTION = /(?<![^\s([{"'=,|/])(--?[A-Za-z][\w-]*)/;
  const SVG = "http://www.w3.org/2000/svg";

  // An element with its properties and what is in it; options stay whole at the end of a line (workshop.css).
  function make(tag, properties = {}, ...inside) {
    const element = Object.assign(document.createElement(tag), properties);
    for (const one of inside.flat()) {
      if (typeof one !== "string") element.append(one);
      else if (tag === "option") element.append(one);
      else element.append(...one.split(OPTION).map((text, n) => (n % 2 ? option(text) : text)));
    }
    return element;
  }

  const option = (text) => Object.assign(document.createElement("span"), { className: "wk-option", textContent: text });

  // An element of a drawing.
  function draw(tag, attributes = {}, ...inside) {
    const element = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...inside);
    return element;
  }

  const button = (text, onclick) => make("button", { type: "button", className: "wk-button", onclick }, text);

  // A field for a whole number (or, with `step: "any"`, another one); `changed` is called while one types.
  function number(value, limits, changed) {
    const field = make("input", { type: "number", value: String(value), ...limits });
    field.inputMode = "numeric";
    field.addEventListener("input", changed);
    return field;
  }

  function choice(options, value, changed) {
    const select = make("select", {}, ...options.map(([key, text]) => make("option", { value: key }, text)));
    select.value = value;
    select.addEventListener("change", changed);
    return select;
  }

  const labelled = (text, field) => make("label", {}, text, field);

  // What is wrong with these fields, in the browser's own words; "" where nothing is. Marks them as well.
  function wrong(fields) {
    const said = [];
    for (const [name, field] of fields) {
      const bad = !field.checkValidity();
      field.setAttribute("aria-invalid", String(bad));
      if (bad) said.push(`${name}: from ${field.min} to ${field.max}, please`);
    }
    return said.join("; ");
  }

  const status = () => make("p", { role: "status", className: "wk-said" });

  // 15466 as pages write it.
  function grouped(value) {
    const whole = String(Math.round(value));
    return whole.length > 4 ? whole.replace(/\B(?=(\d{3})+$)/g, ",") : whole;
  }

  const plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

  // Fill each place of this kind on the page.
  function start(kind, build) {
    for (const place of document.querySelectorAll(`.wk-play[data-play="${kind}"]`)) {
      const inside = document.createElement("div");
      build(inside);
      place.replaceChildren(inside);
      place.classList.add("wk-alive");
    }
  }

  const parts = { make, draw, button, number, choice, labelled, wrong, status, grouped, plural, start };
  globalThis.workshopPlay = { ...globalThis.workshopPlay, parts };
})();
