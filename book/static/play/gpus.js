// How many GPUs: three measured numbers, and what follows from them.
"use strict";

(() => {
  const { make, number, choice, labelled, wrong, status, grouped, plural, start } = workshopPlay.parts;
  const { MEASURED, rows, choose, speedUp, amdahl } = workshopPlay.gpus;
  const COUNTS = [1, 2, 4];
  const NEXT = 8;
  const percent = (share) => `${(100 * share).toFixed(0)} %`;

  class Gpus {
    constructor(place) {
      const update = () => this.update();
      const limits = { min: 0.001, max: 1e9, step: "any", required: true };
      this.rates = COUNTS.map((count) => [count, number(0, limits, update)]);
      this.images = number(115, limits, update);
      this.threshold = number(70, { min: 1, max: 100, required: true }, update);
      const measured = [["", "your own"], ...Object.keys(MEASURED).map((one) => [one, one])];
      this.example = choice(measured, Object.keys(MEASURED)[0], () => this.take());
      for (const [, field] of this.rates) field.addEventListener("input", () => (this.example.value = ""));
      this.body = make("tbody");
      this.said = status();
      this.law = make("p");
      const heads = ["GPUs", "Images/s", "Speed-up", "Efficiency", "Hours", "GPU hours"];
      const onGpus = (count) => `Images/s on ${plural(count, "GPU")}`;
      const fields = this.rates.map(([count, field]) => labelled(onGpus(count), field));
      const least = labelled("Efficiency, at least (%)", this.threshold);
      const head = make("tr", {}, heads.map((text) => make("th", { scope: "col" }, text)));
      place.append(
        make("div", { className: "wk-row" }, labelled("Measured", this.example)),
        make("div", { className: "wk-row" }, fields),
        make("div", { className: "wk-row" }, labelled("Million images in all", this.images), least),
        make("table", {}, make("thead", {}, head), this.body),
        this.said,
        this.law,
      );
      this.take();
    }

    take() {
      const known = MEASURED[this.example.value];
      if (known) for (const [count, field] of this.rates) field.value = String(known[count]);
      this.update();
    }

    update() {
      const problem = wrong([
        ...this.rates.map(([count, field]) => [`images/s on ${count}`, field]),
        ["million images", this.images],
        ["efficiency", this.threshold],
      ]);
      if (problem) return this.said.replaceChildren(problem);
      const rates = Object.fromEntries(this.rates.map(([count, field]) => [count, Number(field.value)]));
      const table = rows(rates, 1e6 * Number(this.images.value));
      const threshold = Number(this.threshold.value) / 100;
      const chosen = choose(table, threshold);
      this.body.replaceChildren(...table.map((row) => this.row(row, row.gpus === chosen)));
      this.said.replaceChildren(this.tell(table, chosen, threshold));
      this.law.replaceChildren(this.forecast(amdahl(table)));
    }

    row(row, chosen) {
      const times = [row.hours.toFixed(1), row.cost.toFixed(1)];
      const cells = [grouped(row.rate), row.speedUp.toFixed(2), percent(row.efficiency), ...times];
      const head = make("th", { scope: "row" }, chosen ? `${row.gpus} ←` : String(row.gpus));
      return make("tr", { className: chosen ? "wk-best" : "" }, head, cells.map((text) => make("td", {}, text)));
    }

    tell(table, chosen, threshold) {
      const best = table.find((row) => row.gpus === chosen);
      const more = table
        .filter((row) => row.gpus > chosen)
        .map((row) => `${row.gpus} GPUs reach ${percent(row.efficiency)}`);
      const rest = more.length ? ` ${more.join(", ")}.` : "";
      return `Ask for ${plural(chosen, "GPU")}: efficiency ${percent(best.efficiency)} ` +
        `(at least ${percent(threshold)}), ${best.hours.toFixed(1)} hours, ${best.cost.toFixed(1)} GPU hours.${rest}`;
    }

    // Only for strong scaling, and only where the law describes what was measured.
    forecast({ fixed, apart }) {
      if (apart) {
        const [two, four] = apart.map(percent);
        return `Amdahl's law does not fit: from 2 GPUs s would be ${two}, from 4 GPUs ${four}. ` +
          `These numbers promise nothing for ${NEXT}.`;
      }
      if (fixed === 0) {
        return `Nothing that stays the same can be seen (s is below 1 %). Measure ${NEXT} before you ask for them.`;
      }
      const gain = speedUp(fixed, NEXT);
      return `If this is strong scaling, Amdahl's law fits with s = ${percent(fixed)}. It promises a speed-up of ` +
        `${gain.toFixed(1)} on ${NEXT} GPUs (${percent(gain / NEXT)}), never more than ${(1 / fixed).toFixed(0)}. ` +
        "That is a forecast, not a measurement.";
    }
  }

  start("gpus", (place) => new Gpus(place));
})();
