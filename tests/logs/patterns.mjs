// The patterns of messages.json in JavaScript: reads texts as JSON, prints for each the wordings that match it.
import { readFileSync } from "node:fs";

const [messages, texts] = process.argv.slice(2).map((file) => JSON.parse(readFileSync(file, "utf8")));

// As `plain` of why.py: no colours, one kind of quotation marks, single blanks.
const plain = (text) =>
  text
    .replace(/\x1b\[[0-9;?]*[A-Za-z]/g, "")
    .replace(/[`\u00b4\u2018\u2019\u201c\u201d"]/g, "'")
    .replace(/[\u00a0\t]/g, " ")
    .replace(/ +/g, " ")
    .trim();

const wordings = messages.messages.flatMap((entry) => entry.wordings.map((wording) => ({ id: entry.id, ...wording })));
const patterns = wordings.map(({ id, text, find, pattern }) => ({ name: `${id}: ${text}`, find, pattern: new RegExp(pattern) }));
const matching = (text) => patterns.filter((p) => text.includes(p.find) && p.pattern.test(text)).map((p) => p.name);
console.log(JSON.stringify(texts.map((text) => matching(plain(text)))));
