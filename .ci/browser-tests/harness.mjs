// What the tests of the page of `pail serve` share: servers over repositories, and what a person does with a keyboard.
import { strict as assert } from "node:assert";
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after } from "node:test";
import { browser } from "./browser.mjs";
import { made, pail } from "./fixtures.mjs";

export { browser, findings, visit } from "./browser.mjs";
export { run } from "./fixtures.mjs";

const fixtures = process.env.BROWSER_FIXTURES;
assert.ok(fixtures, "BROWSER_FIXTURES is the folder that fixtures.mjs has made");
export const facts = made(fixtures);
const work = mkdtempSync(join(tmpdir(), "pail-browser-"));
const ends = [() => rmSync(work, { recursive: true, force: true })];
/** Ends all that this file has started. */
export const endAll = async () => {
  for (const end of ends.reverse()) await end();
};
if (process.env.NODE_TEST_CONTEXT) after(endAll);

ends.push(() => browser.close());

/** The folder of a repository that tests only read. */
export const repository = (name) => join(fixtures, name, "pail");

/** The folder of a copy that one file of tests may change. */
export function copied(name) {
  const folder = join(mkdtempSync(join(work, name + "-")), "pail");
  cpSync(repository(name), folder, { recursive: true });
  return folder;
}

/** Starts a server over a repository; gives its URL. */
export async function serve(folder, ...options) {
  const server = spawn(pail, ["-C", folder, "serve", "--listen", "127.0.0.1:0", "--json", "-q", ...options], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise((done) => server.on("exit", done));
  ends.push(() => (server.kill(), ended));
  for await (const line of createInterface({ input: server.stdout })) {
    server.stdout.resume();
    return JSON.parse(line).url;
  }
  throw new Error("no server over " + folder);
}

/** Makes a file of tokens for `pail serve --tokens`; each right is the name of its token, too. */
export function tokens(...rights) {
  const file = join(mkdtempSync(join(work, "tokens-")), "tokens");
  const lines = rights.map((right) => `${createHash("sha256").update("token-" + right).digest("hex")} ${right} ** ${right}-er\n`);
  writeFileSync(file, lines.join(""), { mode: 0o600 });
  return file;
}

/** Waits until a view has all its answers. */
export async function settled(page) {
  await page.waitForFunction(() => document.querySelector("main h1") && !document.querySelector("main [aria-busy=true]"));
}

/** Goes to another view of the same page, and waits until the page shows that view, perhaps without its answers. */
export async function go(page, hash) {
  await page.evaluate((next) => new Promise((done) => {
    if (new URL(next, location.href).hash === location.hash) return done();
    addEventListener("hashchange", () => requestAnimationFrame(() => requestAnimationFrame(done)), { once: true });
    location.hash = next;
  }), hash);
}

/** Presses Tab until an element has the focus, as a person would. The focus must be seen there. */
export async function tabTo(page, target) {
  await target.waitFor();
  for (let i = 0; i < 400; i++) {
    const isSeen = await target.evaluate((element) => {
      if (element !== document.activeElement) return undefined;
      const style = getComputedStyle(element);
      return style.outlineStyle !== "none" || style.boxShadow !== "none";
    });
    if (isSeen !== undefined) {
      assert.ok(isSeen, `the focus cannot be seen: ${target}`);
      return;
    }
    await page.keyboard.press("Tab");
  }
  assert.fail(`Tab does not reach: ${target}`);
}

/** Goes to a link or a button by Tab, and presses Enter. */
export async function press(page, target, key = "Enter") {
  await tabTo(page, target);
  await page.keyboard.press(key);
}

/** Goes to a field by Tab, and types in it. */
export async function type(page, target, text) {
  await tabTo(page, target);
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.press("Delete");
  await page.keyboard.type(text);
}

/** A promise, and the function that fulfils it. */
export function gate() {
  let open;
  const opened = new Promise((done) => (open = done));
  return { open, opened };
}

export const hashOf = (page) => new URL(page.url()).hash;

/** The address of a view. */
export function link(segments, parameters = {}) {
  const query = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return "#/" + segments.map(encodeURIComponent).join("/") + (query.length > 0 ? "?" + query.join("&") : "");
}
