// How many GPUs: speed-up, efficiency, hours and cost from measured rates, and Amdahl's law, as on the page *Measuring
// and scaling*. A test compares with the tables that scripts/train/scaling.py prints and with the exercise's solution.
"use strict";

(() => {
  // Images per second on 1, 2 and 4 H100 (book/data/scaling_4gpus.json, medians of five): a test reads both.
  const MEASURED = {
    "ResNet-50, strong scaling": { 1: 3883, 2: 6695, 4: 6130 },
    "ResNet-50, weak scaling": { 1: 3883, 2: 7742, 4: 15466 },
    "small CNN, strong scaling": { 1: 14171, 2: 26063, 4: 46270 },
    "small CNN, weak scaling": { 1: 14169, 2: 28082, 4: 56051 },
  };
  const CLOSE = 0.05; // a law that misses a measurement by more does not describe it

  // Rows {gpus, rate, speedUp, efficiency, hours, cost} for `rates` (number of GPUs -> images per second).
  function rows(rates, images) {
    return Object.entries(rates).map(([text, rate]) => {
      const [gpus, speedUp, hours] = [Number(text), rate / rates[1], images / rate / 3600];
      return { gpus, rate, speedUp, efficiency: speedUp / gpus, hours, cost: gpus * hours };
    });
  }

  // The number of GPUs that is done soonest, with an efficiency of at least `threshold`.
  function choose(table, threshold) {
    const fitting = table.filter((row) => row.efficiency >= threshold);
    return fitting.reduce((best, row) => (row.hours < best.hours ? row : best)).gpus;
  }

  const speedUp = (fixed, gpus) => 1 / (fixed + (1 - fixed) / gpus);

  // The share of the time that stays the same, in whole percent: {fixed}, or {apart: [share from each row]} where one
  // share does not explain all rows.
  function amdahl(table) {
    const more = table.filter((row) => row.gpus > 1);
    const share = (row) => (1 / row.speedUp - 1 / row.gpus) / (1 - 1 / row.gpus);
    const weight = (row) => (1 - 1 / row.gpus) ** 2; // least squares of the time of a step
    const sum = (value) => more.reduce((all, row) => all + value(row), 0);
    const fixed = Math.round((100 * sum((row) => weight(row) * share(row))) / sum(weight)) / 100;
    const near = (row) => Math.abs(speedUp(fixed, row.gpus) / row.speedUp - 1) <= CLOSE;
    return fixed >= 0 && fixed < 1 && more.every(near) ? { fixed } : { apart: more.map(share) };
  }

  globalThis.workshopPlay = { ...globalThis.workshopPlay, gpus: { MEASURED, rows, choose, speedUp, amdahl } };
})();
