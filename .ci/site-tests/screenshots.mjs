// Puts pictures of pages of the site into a folder, in dark and light, wide and narrow.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { browser } from "../browser-tests/browser.mjs";
import { serve } from "./server.mjs";

const [target, ...asked] = process.argv.slice(2);
const pages = asked.length > 0 ? asked : ["index", "tutorial", "concepts", "howto/scripts", "reference/put", "spec/pail", "api/index", "api/dev.pail.core/dev/pail/Pail"];
mkdirSync(target, { recursive: true });
const { url, server } = await serve();
for (const colorScheme of ["light", "dark"]) {
  for (const width of [1280, 320]) {
    const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 } });
    const page = await context.newPage();
    for (const each of pages) {
      await page.goto(`${url}/${each}.html`);
      await page.waitForTimeout(300);
      await page.screenshot({ path: join(target, `${each.replaceAll("/", "-")}-${colorScheme}-${width}.png`) });
    }
    await context.close();
  }
}
await browser.close();
server.closeAllConnections();
server.close();
