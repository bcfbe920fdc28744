// What a page of another origin learns from a server on loopback without tokens: the same for keys and blocks that are there as for others (GW12).
import { strict as assert } from "node:assert";
import { createServer } from "node:http";
import { after, test } from "node:test";
import { browser, endAll, repository, run, serve } from "./harness.mjs";

const town = repository("town");
const url = await serve(town);
const openGateway = await serve(town, "--open-gateway");
const picture = await run(town, "get", "pictures/dot.png");
const absent = "bafkreiaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";

// The page of the other site; it is served as a page of two sites: another host, and another port of the same host.
const foreign = createServer((_, response) => response.setHeader("Content-Type", "text/html").end("<!doctype html><title>other</title><body>"));
await new Promise((done) => foreign.listen(0, done));
after(endAll);
after(() => foreign.close());

/** What a page can do with an address; each gives what the page learns. Runs in the page. */
async function probe(address) {
  const loaded = (element, name) => new Promise((done) => {
    element.onload = element.onloadeddata = () => done(`load ${element.naturalWidth ?? ""} ${element.contentWindow?.length ?? ""}`);
    element.onerror = () => done("error");
    element[name] = address;
    document.body.append(element);
    setTimeout(() => done("nothing"), 4_000);
  });
  const asked = async (options) => {
    try {
      const { type, status } = await fetch(address, options);
      return `${type} ${status}`;
    } catch (error) {
      return error.name;
    }
  };
  const made = (tag, attributes = {}) => Object.assign(document.createElement(tag), attributes);
  const opened = async () => {
    const other = window.open(address);
    await new Promise((done) => setTimeout(done, 1_500));
    const { length, closed } = other ?? {};
    other?.close();
    return `${length} ${closed}`;
  };
  const all = {
    image: loaded(made("img"), "src"),
    imageOfOrigin: loaded(made("img", { crossOrigin: "anonymous" }), "src"),
    script: loaded(made("script"), "src"),
    style: loaded(made("link", { rel: "stylesheet" }), "href"),
    preload: loaded(made("link", { rel: "preload", as: "fetch" }), "href"),
    object: loaded(made("object"), "data"),
    embed: loaded(made("embed"), "src"),
    frame: loaded(made("iframe"), "src"),
    audio: loaded(made("audio"), "src"),
    video: loaded(made("video"), "src"),
    simple: asked({ mode: "no-cors" }),
    byOrigin: asked({}),
    head: asked({ method: "HEAD", mode: "no-cors" }),
    range: asked({ mode: "no-cors", headers: { Range: "bytes=0-0" } }),
    write: asked({ method: "POST", mode: "no-cors", body: "x" }),
  };
  const seen = {};
  for (const [name, result] of Object.entries(all)) seen[name] = await result;
  seen.opened = await opened();
  const entry = performance.getEntriesByName(address).at(-1);
  seen.timing = `${entry?.transferSize} ${entry?.decodedBodySize} ${entry?.responseStatus} ${entry?.contentType}`;
  return seen;
}

/** What a page of another site learns of an address. A browser of its own has it in front, so that it loads all at once. */
async function learned(host, address) {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.goto(`http://${host}:${foreign.address().port}/`);
    return await page.evaluate(probe, address);
  } finally {
    await context.close();
  }
}

const pairs = {
  "a value": ["/v1/value?key=notes/today", "/v1/value?key=notes/none"],
  "a picture": ["/v1/value?key=pictures/dot.png&format=raw", "/v1/value?key=pictures/none.png&format=raw"],
  "a prefix of shards": ["/v1/shard?prefix=notes/", "/v1/shard?prefix=none/"],
  "a list of keys": ["/v1/keys?prefix=notes/", "/v1/keys?branch=none"],
  "a branch": ["/v1/refs?branch=main", "/v1/refs?branch=none"],
  "a block": [`/ipfs/${picture}`, `/ipfs/${absent}`],
  "a raw block": [`/ipfs/${picture}?format=raw`, `/ipfs/${absent}?format=raw`],
};

// A browser says of the one that it is of another site, and of the other that it is of the same site, though of another origin.
const hosts = { localhost: Object.keys(pairs), "127.0.0.1": ["a value", "a raw block"] };
for (const [host, names] of Object.entries(hosts)) {
  for (const name of names) {
    const [there, elsewhere] = pairs[name];
    test(`a page of ${host} learns nothing of ${name}`, async () => {
      assert.deepEqual(await learned(host, url + there), await learned(host, url + elsewhere));
    });
  }
}

test("pages can tell blocks apart where the gateway is open to all", async () => {
  const [there, elsewhere] = pairs["a raw block"];
  assert.equal((await learned("localhost", openGateway + there)).byOrigin, "cors 200");
  assert.equal((await learned("localhost", openGateway + elsewhere)).byOrigin, "cors 404");
});
