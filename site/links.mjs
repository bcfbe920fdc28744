// Fails if a link or an image of the built site leads to nothing, or to an anchor that is not there. It includes the pages of javadoc.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { output } from "./pages.mjs";

const base = process.env.SITE_BASE ?? "/";
const html = readdirSync(output, { recursive: true }).filter((file) => file.endsWith(".html"));
const entities = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };
const decoded = (text) => decodeURIComponent(text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name) => entities[name]));
const tags = new Map(html.map((file) => [file, readFileSync(join(output, file), "utf8").replace(/<script\b.*?<\/script>/gs, "").match(/<[a-z][^<>]*>/gi) ?? []]));
const anchors = new Map([...tags].map(([file, found]) => [file, new Set(found.flatMap((tag) => [...tag.matchAll(/\s(?:id|name)="([^"]*)"/g)].map(([, id]) => decoded(id))))]));

const dead = [];
let checked = 0;
for (const [file, found] of tags) {
  for (const tag of found) {
    for (const [, link] of tag.matchAll(/\s(?:href|src)="([^"]*)"/g)) {
      if (/^([a-z]+:|\/\/)/i.test(link)) continue;
      checked++;
      const [path, fragment] = link.split("#");
      const plain = decoded(path.split("?")[0]);
      let to = plain === "" ? file : plain.startsWith("/") ? (plain.startsWith(base) ? plain.slice(base.length) : plain) : posix.join(posix.dirname(file), plain);
      if (to === "" || to.endsWith("/")) to += "index.html";
      if (!existsSync(join(output, to)) && existsSync(join(output, to + ".html"))) to += ".html";
      if (!existsSync(join(output, to))) dead.push(`${file}: nothing is at ${link}`);
      // The contents of this page of javadoc name groups that have no anchor.
      else if (file !== "api/constant-values.html" && fragment && anchors.has(to) && !anchors.get(to).has(decoded(fragment))) dead.push(`${file}: no anchor ${link}`);
    }
  }
}
for (const each of new Set(dead)) console.error(each);
console.log(`links: ${checked} in ${html.length} pages, dead: ${new Set(dead).size}`);
process.exit(dead.length > 0 ? 1 : 0);
