// Python and the package, in a thread of their own: the page stays alive while they work.
import { start } from "./package.mjs";

const folder = new URL(".", import.meta.url).href;

// Say how much of what is fetched has come, whoever asked for it.
let come = 0;
const fetched = self.fetch;
self.fetch = async (...request) => {
  const response = await fetched(...request);
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${response.statusText}`);
  const count = new TransformStream({
    transform(chunk, stream) {
      come += chunk.length;
      postMessage({ come });
      stream.enqueue(chunk);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(count), { status, statusText, headers });
};

const bytes = async (name) => new Uint8Array(await (await self.fetch(folder + name)).arrayBuffer());
let ask;

onmessage = async ({ data: { number, question } }) => {
  try {
    if (question.do === "start") {
      const python = await start(folder, bytes);
      ask = python.ask;
      postMessage({ number, answer: python.sites });
    } else {
      postMessage({ number, answer: ask(question) });
    }
  } catch (error) {
    postMessage({ number, problem: String(error.message ?? error).trim().split("\n").at(-1) });
  }
};
