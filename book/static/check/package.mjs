// The package `workshop` in Pyodide: the same file for a browser's worker and for Node.js.

// The whole syntax tree of a text as JSON, [kind, start, end, field or null, [children]]: asking for each node from
// Python would be slow.
function syntaxTree(parser, text, deepest) {
  const tree = parser.parse(text);
  const cursor = tree.walk();
  const node = () => [cursor.nodeType, cursor.startIndex, cursor.endIndex, cursor.currentFieldName ?? null, []];
  const root = node();
  root[1] = 0;
  root[2] = text.length;
  const above = [root];
  let descend = cursor.gotoFirstChild();
  for (;;) {
    if (descend) {
      const item = node();
      above.at(-1)[4].push(item);
      if (above.length < deepest && cursor.gotoFirstChild()) {
        above.push(item);
        continue;
      }
    }
    if (cursor.gotoNextSibling()) {
      descend = true;
      continue;
    }
    if (above.length === 1 || !cursor.gotoParent()) break;
    above.pop();
    descend = false;
  }
  cursor.delete();
  tree.delete();
  return JSON.stringify(root);
}

/**
 * Start Python with the package.
 * @param folder address or path of the folder with the files, with a slash at its end
 * @param load (name) => Promise of a file's bytes
 * @returns `ask`, a function: question (an object, see workshop/in_browser.py) => answer (an object); and the `sites`
 */
export async function start(folder, load) {
  const pythonFirst = import(`${folder}pyodide.mjs`).then(({ loadPyodide }) => loadPyodide({ indexURL: folder }));
  const { Parser, Language } = await import(`${folder}web-tree-sitter.js`);
  await Parser.init({ wasmBinary: await load("web-tree-sitter.wasm") });
  const parser = new Parser();
  parser.setLanguage(await Language.load(await load("tree-sitter-bash.wasm")));

  const text = new TextDecoder();
  const [archive, sites] = [await load("workshop.zip"), text.decode(await load("sites.json"))];
  const python = await pythonFirst;
  python.unpackArchive(archive, "zip");
  const workshop = python.pyimport("workshop.in_browser");
  const known = workshop.start((plain, deepest) => syntaxTree(parser, plain, deepest), sites);
  return { ask: (question) => JSON.parse(workshop.answer(JSON.stringify(question))), sites: JSON.parse(known) };
}
