// A browser, and pages that fail their test if anything happens that should not.
import { strict as assert } from "node:assert";
import { createRequire } from "node:module";

// npm installs them elsewhere: the sources stay clean.
const require = createRequire(process.env.BROWSER_MODULES ?? import.meta.url);
export const { chromium } = require("playwright-core");
export const axeSource = require("axe-core").source;

export const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-dev-shm-usage"],
});

/**
 * Opens a view, gives the page to a function, and fails if the page did what no view does: a dialog, a request to another origin, an error in
 * the console, a violation of its policy, a script of the repository.
 *
 * @param options those of a context; `allow` has expressions for errors in the console that the test expects
 */
export async function visit(url, hash, options, use) {
  const { allow = [], before = async () => {}, ...rest } = options;
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: "reduce", ...rest });
  // What never comes is to end the test; a busy machine is not.
  context.setDefaultTimeout(60_000);
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

/** What axe finds, as a sentence for each of its rules. */
export async function findings(page) {
  await page.evaluate(axeSource);
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  return violations.map(({ id, nodes: [first, ...others] }) =>
    `${id}: ${first.html.slice(0, 200)}: ${first.failureSummary.replace(/\s+/g, " ")} (and ${others.length} others)`);
}
