// What a model of book/static/play answers: node play_answers.js FILE KIND < [[function, [argument, …]], …]
"use strict";

const [file, kind] = process.argv.slice(2);
require(file);
const questions = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
const answers = questions.map(([name, args]) => {
  const asked = globalThis.workshopPlay[kind][name];
  return typeof asked === "function" ? asked(...args) : asked;
});
process.stdout.write(JSON.stringify(answers));
