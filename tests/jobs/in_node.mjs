// node in_node.mjs FOLDER/: for each question, a line of standard input, its answer as a line of standard output.
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";

// Node.js would print the line of the source at which it happened: all of Pyodide is one line.
process.on("uncaughtException", (error) => {
  console.error(error.message);
  process.exit(1);
});

const folder = process.argv[2];
const { start } = await import(`${folder}package.mjs`);
const { ask } = await start(folder, async (name) => new Uint8Array(await readFile(folder + name)));
for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(JSON.stringify(ask(JSON.parse(line))) + "\n");
}
