// Makes the repositories that the tests show. Each function makes one and returns what tests look for in it. As a program, it makes all of them
// in a folder: node fixtures.mjs FOLDER
import { execFile } from "node:child_process";
import { createWriteStream, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { vectors } from "./vectors.mjs";

const project = join(import.meta.dirname, "../..");
export const pail = process.env.PAIL_COMMAND ?? join(project, "bin/pail");
const naughtyStrings = join(project, "../shared/corpora/naughty-strings/blns.json");

/** A picture of 24 x 16 pixels. */
const PICTURE = "iVBORw0KGgoAAAANSUhEUgAAABgAAAAQCAIAAACDRijCAAAAHklEQVR42mM4wcZGFcQwatCoQaMGjRo0atCoQcPHIABGEkw8hcUwTQAAAABJRU5ErkJggg==";

/** Runs pail over a repository; gives what it prints, without the last newline. */
export function run(repository, ...command) {
  return given("", repository, ...command);
}

async function given(input, repository, ...command) {
  const running = promisify(execFile)(pail, ["-C", repository, ...command], { maxBuffer: 1 << 26 });
  // A command that fails does not read to the end, and then says why.
  running.child.stdin.on("error", () => {});
  running.child.stdin.end(input);
  return (await running).stdout.replace(/\n$/, "");
}

const lines = (operations) => operations.map((each) => JSON.stringify(each)).join("\n");
const start = (value, characters) => Array.from(value).slice(0, characters).join("");
const text = (key, value) => ({ op: "put", key, text: value });

/** Makes a pail in the format v1 with all kinds of values, tables, a fork in its history, and a key with several versions. */
export async function makeTown(repository) {
  mkdirSync(repository, { recursive: true });
  const files = join(repository, "../site");
  mkdirSync(join(files, "css"), { recursive: true });
  writeFileSync(join(files, "index.html"), "<h1>Hello</h1>\n");
  writeFileSync(join(files, "css/main.css"), "h1 { color: teal }\n");
  await run(repository, "init", "-q", "--format", "v1");
  await run(repository, "branch", "colors", "-q");
  await run(repository, "config", "set", "author", "Ann <ann@example.com>", "-q");

  const operations = [
    text("notes/today", "buy milk"),
    text("notes/week", "water the plants"),
    text("notes/2026/may", "swim"),
    text("notes/2026/june", "sleep"),
    { op: "put", key: "config.json", text: '{"name":"town","open":true,"size":[1,2,3],"inner":{"deep":null}}' },
    { op: "put", key: "pictures/dot.png", base64: PICTURE },
    { op: "put", key: "bytes.bin", base64: Buffer.from(Array.from({ length: 300 }, (_, i) => (i * 7) & 255)).toString("base64") },
    { op: "put", key: "elsewhere", value: "bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy" },
  ];
  for (let i = 0; i < 250; i++) operations.push(text(`numbers/${String(i).padStart(3, "0")}`, `number ${i}`));
  await given(lines(operations), repository, "apply", "-q", "-m", "first texts");

  await run(repository, "put", "-q", "-r", files, "site");
  const car = join(repository, "../site.car");
  const folder = JSON.parse(await run(repository, "export", car, "--as", "unixfs", "--prefix", "site", "--json")).roots[0];
  await given(lines([text("red", "#f00"), text("sea/blue", "#00f")]), repository, "-b", "colors", "apply", "-q");
  const nested = await run(repository, "-b", "colors", "root");
  await run(repository, "import", car, "-q");
  await given(lines([{ op: "put", key: "folder", value: folder }, { op: "put", key: "nested", value: nested }]), repository, "apply", "-q");

  await run(repository, "table", "create", "people", "-q");
  await run(repository, "table", "index", "people", "age", "-q");
  const people = [{ id: "ada", name: "Ada", age: 36, address: { city: "Oslo" } }, { id: "bo", name: "Bo", age: 9, address: { city: "Rome" } }];
  for (let i = 0; i < 10; i++) people.push({ id: `p${i}`, name: `Person ${i}`, age: 40 + i, address: { city: i % 2 ? "Oslo" : "Rome" } });
  await given(lines(people), repository, "table", "load", "people", "-q");

  await run(repository, "tag", "v1.0", "-q");
  await run(repository, "branch", "draft/ann", "-q");
  await run(repository, "-b", "draft/ann", "put", "-q", "notes/draft", "--text", "from the draft", "-m", "on the draft");
  await run(repository, "put", "-q", "notes/today", "--text", "buy bread", "-m", "out of bread");
  await run(repository, "merge", "-q", "draft/ann");
  await run(repository, "put", "-q", "notes/today", "--text", "buy wine", "-m", "guests");
  await run(repository, "rm", "-q", "notes/week");
  return { root: await run(repository, "root"), folder, nested };
}

/** Makes a pail in the format v1 in which two people gave a key different values, and a merge left the conflict open. */
export async function makeForked(repository) {
  mkdirSync(repository, { recursive: true });
  await run(repository, "init", "-q", "--format", "v1");
  await run(repository, "put", "-q", "menu/tea", "--text", "green");
  await run(repository, "branch", "bob", "-q");
  await run(repository, "config", "set", "author", "Ann <ann@example.com>", "-q");
  await run(repository, "put", "-q", "menu/tea", "--text", "white", "-m", "for guests");
  await run(repository, "config", "set", "author", "Bob <bob@example.com>", "-q");
  await run(repository, "-b", "bob", "put", "-q", "menu/tea", "--text", "black", "-m", "for breakfast");
  await run(repository, "merge", "-q", "bob");
  return {};
}

/** The texts that are hostile: those of this folder, and the list of naughty strings if it is there. */
export function hostileTexts() {
  const others = existsSync(naughtyStrings) ? JSON.parse(readFileSync(naughtyStrings, "utf8")) : [];
  return [...new Set([...vectors, ...others])].filter((each) => each !== "");
}

/** Makes a pail in the format v0 whose keys, values, tables, authors and messages are hostile, with the branches texts, documents and rows. */
export async function makeHostile(repository) {
  mkdirSync(repository, { recursive: true });
  const texts = hostileTexts();
  const documentsBranch = "constructor";
  // The names of branches have letters, digits, dots, underscores, hyphens and slashes.
  const tablesBranch = "javascript.window.__xss-1/onerror/" + "x".repeat(60);
  await run(repository, "init", "-q");
  await run(repository, "branch", documentsBranch, "-q");
  await run(repository, "branch", tablesBranch, "-q");
  await run(repository, "config", "set", "author", '<img src=x onerror=window.__xss=1>"', "-q");
  const message = '"><svg/onload=window.__xss=1>\u202e{{window.__xss=1}}';
  // A key for each text, whose value is the text: all in one folder, so that a slash within a text makes a folder below it.
  await given(lines(texts.map((each) => text("k/" + each, each))), repository, "apply", "-q", "-m", message);
  for (const each of vectors.slice(10, 14)) await run(repository, "put", "-q", "again/" + each, "--text", each, "-m", each.slice(0, 200));
  await given(lines([{ op: "del", key: "k/" + vectors[0] }, text("k/" + vectors[11], vectors[12])]), repository, "apply", "-q", "-m", message);

  const documents = texts.map((each, i) => text(`json/${String(i).padStart(4, "0")}`, JSON.stringify({ [each]: each, list: [each, { [each]: [each] }] })));
  const pages = vectors.map((each, i) => text(`page/${String(i).padStart(4, "0")}.html`, `<!doctype html><title>${each}</title>${each}`));
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" onload="window.__xss=1"><script>window.__xss=1</script><image href="//evil.example/x.png"/></svg>`;
  const others = [text("drawing.svg", drawing), text("page.xml", `<?xml version="1.0"?><x:script xmlns:x="http://www.w3.org/1999/xhtml">window.__xss=1</x:script>`)];
  await given(lines([...documents, ...pages, ...others]), repository, "-b", documentsBranch, "apply", "-q");

  const rows = vectors.map((each, i) => ({ id: start(each, 100), field: each, start: start(each, 15), [each]: i }));
  const table = vectors[17];
  await run(repository, "-b", tablesBranch, "table", "create", table, "-q");
  await run(repository, "-b", tablesBranch, "table", "index", table, "start", "-q");
  await given(lines(rows), repository, "-b", tablesBranch, "table", "load", table, "-q");
  await run(repository, "tag", "valueOf", "-q");
  return { texts, table, rows, documentsBranch, tablesBranch, message };
}

/**
 * Makes a pail in the format v1 in which a shard and a value are missing, and a shard and a value have an altered bit. The tag "before" has
 * the version before the last change, whose blocks differ.
 */
export async function makeDamaged(repository) {
  mkdirSync(repository, { recursive: true });
  const operations = ["good", "lost", "torn"].flatMap((each) => [1, 2, 3].map((i) => text(`${each}/${i}`, `${each} ${i}`)));
  await run(repository, "init", "-q", "--format", "v1");
  await given(lines([...operations, text("values/good", "a good value"), text("values/lost", "a lost value"), text("values/torn", "a torn value")]),
    repository, "apply", "-q");
  await run(repository, "tag", "before", "-q");
  await given(lines(["good", "lost", "torn"].map((each) => text(`${each}/4`, `${each} 4`))), repository, "apply", "-q");
  const shards = (await run(repository, "tree", "--json")).split("\n").map((line) => JSON.parse(line));
  const shard = (prefix) => shards.find((each) => each.prefix === prefix).shard;
  const cids = {
    root: await run(repository, "root"),
    lostShard: shard("lost/"),
    tornShard: shard("torn/"),
    lostValue: await run(repository, "get", "values/lost"),
    tornValue: await run(repository, "get", "values/torn"),
  };
  for (const each of [cids.lostShard, cids.lostValue]) rmSync(blockFile(repository, each));
  for (const each of [cids.tornShard, cids.tornValue]) {
    const bytes = readFileSync(blockFile(repository, each));
    bytes[bytes.length >> 1] ^= 1;
    writeFileSync(blockFile(repository, each), bytes);
  }
  return cids;
}

/** The file of a block in a repository that keeps blocks as files: its name is the multihash in base 32. */
function blockFile(repository, cid) {
  const letters = "abcdefghijklmnopqrstuvwxyz234567";
  const bits = [...cid.slice(1)].map((each) => letters.indexOf(each).toString(2).padStart(5, "0")).join("");
  // Without the version and the codec, which are a byte each.
  const multihash = bits.slice(16, bits.length - (bits.length % 8));
  const name = "B" + multihash.match(/.{1,5}/g).map((each) => letters[parseInt(each.padEnd(5, "0"), 2)]).join("").toUpperCase();
  return join(repository, "blocks", name.slice(-2), name + ".data");
}

/** Makes a pail in the format v1 with 1,000,000 keys: 1,000 in each of 1,000 folders. */
export async function makeMillion(repository) {
  mkdirSync(repository, { recursive: true });
  await run(repository, "init", "-q", "--format", "v1", "--blocks", "segments");
  await run(repository, "put", "-q", "d000/f000", "--text", "one value for all");
  const value = await run(repository, "get", "d000/f000");
  const file = join(repository, "../million.tsv");
  const output = createWriteStream(file);
  for (let folder = 0; folder < 1000; folder++) {
    const name = String(folder).padStart(3, "0");
    let chunk = "";
    for (let i = 0; i < 1000; i++) chunk += `d${name}/f${String(i).padStart(3, "0")}\t${value}\n`;
    if (!output.write(chunk)) await once(output, "drain");
  }
  output.end();
  await once(output, "finish");
  await run(repository, "load", "-q", file);
  rmSync(file);
  return {};
}

/** What each function of this file gave, by the name of the repository. */
export const made = (folder) => JSON.parse(readFileSync(join(folder, "made.json"), "utf8"));

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = process.argv[2];
  const makers = { town: makeTown, forked: makeForked, hostile: makeHostile, damaged: makeDamaged, million: makeMillion };
  const results = await Promise.all(Object.entries(makers).map(async ([name, make]) => [name, await make(join(folder, name, "pail"))]));
  writeFileSync(join(folder, "made.json"), JSON.stringify(Object.fromEntries(results)));
}
