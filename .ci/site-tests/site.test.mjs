// Each kind of page in dark and light and on a wide and a narrow screen: no finding of axe, no page wider than the screen, no request to another host.
import { strict as assert } from "node:assert";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { browser, findings, visit } from "../browser-tests/browser.mjs";
import { folder, serve } from "./server.mjs";

const { url, server } = await serve();
after(() => browser.close().then(() => (server.closeAllConnections(), server.close())));

/** One page of each kind is put to axe; the width of all of them is measured. */
const kinds = ["index", "tutorial", "concepts", "java", "howto/tables", "reference/index", "reference/put", "spec/pail", "benchmarks"];
const all = readdirSync(folder, { recursive: true }).filter((file) => file.endsWith(".html") && !file.startsWith("api/") && file !== "404.html").sort();

const loaded = (page) => page.waitForFunction(() => document.querySelector("#app")?.__vue_app__ && document.querySelector("main h1"));
const tooWide = (page, width) => page.evaluate((most) => document.documentElement.scrollWidth > most, width);

for (const kind of kinds) {
  test(`${kind}: accessible`, async () => {
    assert.ok(existsSync(join(folder, kind + ".html")), "there is no such page");
    const wrong = [];
    for (const [colorScheme, width] of [["light", 1280], ["dark", 320]]) {
      await visit(url, kind + ".html", { colorScheme, viewport: { width, height: 900 } }, async (page) => {
        await loaded(page);
        wrong.push(...(await findings(page)).map((each) => `${colorScheme}, ${width} pixels: ${each}`));
      });
    }
    assert.deepEqual(wrong, []);
  });
}

test("each page is as wide as the screen, and asks no other host, without scripts too", async () => {
  const wrong = [];
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  page.on("request", (request) => new URL(request.url()).origin === url || wrong.push(`${page.url()} asks for ${request.url()}`));
  for (const file of all) {
    await page.goto(`${url}/${file}`);
    for (const width of [1280, 320]) {
      await page.setViewportSize({ width, height: 900 });
      if (await tooWide(page, width)) wrong.push(`${file}: wider than ${width} pixels`);
    }
  }
  await context.close();
  assert.ok(all.length > 90, `only ${all.length} pages`);
  assert.deepEqual(wrong, []);
});

test("the first page shows its picture without scrolling", async () => {
  for (const [width, height] of [[1280, 800], [375, 700]]) {
    await visit(url, "index.html", { viewport: { width, height } }, async (page) => {
      await loaded(page);
      const picture = page.locator(".vp-doc img").first();
      assert.ok(await picture.getAttribute("alt"));
      const { x, y, width: wide, height: high } = await picture.boundingBox();
      assert.ok(wide > 300 && high > 100, `${wide} by ${high} pixels`);
      assert.ok(x >= 0 && x + wide <= width && y + high <= height, `${wide} by ${high} pixels at ${x}, ${y} of a screen of ${width} by ${height}`);
    });
  }
});

test("the Java API asks no other host, and its rules lead to the specification", async () => {
  await visit(url, "api/dev.pail.core/dev/pail/Pail.html", {}, async (page) => {
    await page.waitForSelector("h1");
    const href = await page.locator("a[href*='/spec/']").first().getAttribute("href");
    await page.goto(new URL(href, page.url()).href);
    await page.waitForSelector(`[id="${href.split("#")[1]}"]`);
  });
});

test("the search finds what a reader asks for", async () => {
  const asked = { "compare-and-set": "Compare and set", "restore folder": "Files and folders", GW4: "The gateway" };
  for (const [words, title] of Object.entries(asked)) {
    await visit(url, "index.html", {}, async (page) => {
      await loaded(page);
      await page.keyboard.press("Control+k");
      await page.locator("#localsearch-input").fill(words);
      const results = page.locator("#localsearch-list .result");
      await results.first().waitFor();
      assert.ok((await results.allTextContents()).some((each) => each.includes(title)), `${words}: ${await results.allTextContents()}`);
      await results.first().click();
      await page.waitForSelector("main h1");
    });
  }
});

test("the search finds the names of other documents", async () => {
  const asked = {
    "From Benchtop": ["NewTableKey", "ParseTableKey", "NewPosKey", "ParsePosKey", "NewPosKeyPrefix", "FieldKey", "FieldKeyParse", "FieldLabelKey", "RFieldKey", "EncodeRowLoc", "DecodeRowLoc", "RowLoc"],
    "From key-namespacing and LevelDB": ["length-prefixed", "asciihex", "namespace separator"],
  };
  await visit(url, "index.html", {}, async (page) => {
    await loaded(page);
    await page.keyboard.press("Control+k");
    const input = page.locator("#localsearch-input");
    const results = page.locator("#localsearch-list .result");
    for (const [title, names] of Object.entries(asked)) {
      for (const name of names) {
        // No result of the last name is left.
        await input.fill("qqzzqq");
        await results.first().waitFor({ state: "detached" });
        await input.fill(name);
        await results.first().waitFor();
        assert.ok((await results.allTextContents()).some((each) => each.includes(title)), `${name}: ${await results.allTextContents()}`);
      }
    }
  });
});

test("a reader without a mouse gets from the start to a page, and changes to dark", async () => {
  await visit(url, "index.html", { colorScheme: "light" }, async (page) => {
    await loaded(page);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    assert.equal(await page.evaluate(() => document.activeElement.id), "VPContent");
    await page.getByRole("switch").first().press("Enter");
    assert.ok(await page.evaluate(() => document.documentElement.classList.contains("dark")));
  });
});
