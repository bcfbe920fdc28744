// What all tests share: a server over a repository, a browser, and pages that fail their test if anything happens that should not.
import { strict as assert } from "node:assert";
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after } from "node:test";
import { made, pail } from "./fixtures.mjs";

// npm installs them elsewhere: the sources stay clean.
const require = createRequire(process.env.BROWSER_MODULES ?? import.meta.url);
export const { chromium } = require("playwright-core");
export const axeSource = require("axe-core").source;

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

export const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-dev-shm-usage"],
});
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

/**
 * Opens a view, gives the page to a function, and fails if the page did what no view does: a dialog, a request to another origin, an error in
 * the console, a violation of its policy, a script of the repository.
 *
 * @param options those of a context; `allow` has expressions for errors in the console that the test expects
 */
export async function visit(url, hash, options, use) {
  const { allow = [], before = async () => {}, ...rest } = options;
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: "reduce", ...rest });
  context.setDefaultTimeout(15_000);
  const problems = [];
  const note = (problem) => allow.some((each) => each.test(problem)) || problems.push(problem);
  await context.addInitScript(() => {
    window.__violations = [];
    addEventListener("securitypolicyviolation", (event) => window.__violations.push(event.violatedDirective + " " + event.blockedURI));
  });
  context.on("page", (page) => {
    page.on("dialog", (dialog) => (note("dialog: " + dialog.message()), dialog.dismiss()));
    page.on("pageerror", (error) => note("error: " + error.stack));
    page.on("console", (message) => ["error", "warning"].includes(message.type()) && note(`console: ${message.text()} ${message.location().url}`));
    page.on("request", (request) => new URL(request.url()).origin === new URL(url).origin || note("request: " + request.url()));
    page.on("framenavigated", (frame) => frame === page.mainFrame() || note("frame: " + frame.url()));
  });
  try {
    const page = await context.newPage();
    await before(page);
    await page.goto(url + "/" + hash);
    await use(page);
    for (const each of context.pages()) {
      for (const violation of await each.evaluate(() => window.__violations)) note("policy: " + violation);
      assert.equal(await each.evaluate(() => window.__xss), undefined, "a script of the repository ran");
    }
    assert.deepEqual(problems, []);
  } catch (error) {
    if (problems.length > 0) error.message += "\nthe page: " + problems.join("\nthe page: ");
    throw error;
  } finally {
    await context.close();
  }
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
