// Each view, in dark and light and on a wide and a narrow screen: no finding of axe, and no page wider than the screen.
import { strict as assert } from "node:assert";
import { test } from "node:test";
import { findings, repository, serve, settled, visit } from "./harness.mjs";
import { refused, views } from "./views.mjs";

const url = await serve(repository("town"));

for (const [name, hash] of Object.entries(views)) {
  test(`${name}: accessible, and as wide as the screen`, async () => {
    const wrong = [];
    for (const colorScheme of ["light", "dark"]) {
      await visit(url, hash, { colorScheme, allow: [refused] }, async (page) => {
        for (const width of [1280, 320]) {
          await page.setViewportSize({ width, height: 900 });
          await settled(page);
          const seen = await page.evaluate(() => document.documentElement.scrollWidth);
          if (seen > width) wrong.push(`${colorScheme}, ${width} pixels: the page is ${seen} pixels wide`);
          wrong.push(...(await findings(page)).map((each) => `${colorScheme}, ${width} pixels: ${each}`));
        }
      });
    }
    assert.deepEqual(wrong, []);
  });
}

test("the form of the token: accessible, and as wide as the screen", async () => {
  await visit(url, "#/", {}, async (page) => {
    await page.getByRole("button", { name: "Token" }).press("Enter");
    await page.getByRole("textbox", { name: "Token" }).waitFor();
    for (const width of [1280, 320]) {
      await page.setViewportSize({ width, height: 900 });
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width);
      assert.deepEqual(await findings(page), []);
    }
  });
});
