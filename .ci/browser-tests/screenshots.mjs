// Takes a picture of each view, dark and light, wide and narrow, for people to look at: node screenshots.mjs FOLDER
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { endAll, repository, serve, settled, visit } from "./harness.mjs";
import { refused, views } from "./views.mjs";

const folder = process.argv[2] ?? join(import.meta.dirname, "../../pail-cli/target/explorer-screenshots");
mkdirSync(folder, { recursive: true });
const town = await serve(repository("town"));
const damaged = await serve(repository("damaged"));
const forked = await serve(repository("forked"));
const pictures = [
  ...Object.entries(views).map(([name, hash]) => [name, town, hash]),
  ["conflicts", forked, "#/conflicts/main"],
  ["keys damaged", damaged, "#/keys/main?prefix=values%2F"],
  ["shard missing", damaged, "#/keys/main?prefix=lost%2F"],
  ["diff damaged", damaged, "#/diff?from=before&to=main&by=shards"],
];
try {
  for (const colorScheme of ["light", "dark"]) {
    for (const [name, url, hash] of pictures) {
      await visit(url, hash, { colorScheme, allow: [refused, /status of 500/] }, async (page) => {
        for (const width of [1280, 320]) {
          await page.setViewportSize({ width, height: 900 });
          await settled(page);
          await page.screenshot({ path: join(folder, `${name.replaceAll(" ", "-")}-${colorScheme}-${width}.png`), fullPage: true });
        }
      });
    }
  }
} finally {
  await endAll();
}
console.log(`${4 * pictures.length} pictures are in ${folder}`);
