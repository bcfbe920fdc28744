// Puts what site/javadoc has made into the built site: a number as in "Rule P2" leads to that rule.
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { output, rules } from "./pages.mjs";

const made = fileURLToPath(new URL("target/api", import.meta.url));
if (!existsSync(join(made, "index.html"))) {
  console.error("there is no Java API: make it first with site/javadoc");
  process.exit(1);
}
const api = join(output, "api");
rmSync(api, { recursive: true, force: true });
cpSync(made, api, { recursive: true });

const id = "[A-Z]+[0-9]+(?:\\.[0-9]+)?";
const cited = new RegExp(`\\b[Rr]ules?\\s+${id}(?:(?:,| to| and|, and)\\s+${id})*`, "g");
let linked = 0;
for (const file of readdirSync(api, { recursive: true }).filter((name) => name.endsWith(".html"))) {
  const whole = readFileSync(join(api, file), "utf8");
  const link = (rule) => {
    const page = rules.get(rule);
    if (!page) throw new Error(`${file}: there is no rule ${rule}`);
    linked++;
    return `<a href="${posix.relative(posix.join("api", posix.dirname(file)), page.replace(/\.md$/, ".html"))}#${rule}">${rule}</a>`;
  };
  // Text between tags; none of links, code and titles.
  let skipped = 0;
  const parts = whole.split(/(<[^>]*>)/).map((part) => {
    if (part.startsWith("<")) {
      if (/^<(a|pre|code|title|script)\b/.test(part)) skipped++;
      if (/^<\/(a|pre|code|title|script)>/.test(part)) skipped--;
      return part;
    }
    return skipped > 0 ? part : part.replace(cited, (text) => text.replace(new RegExp(`\\b${id}`, "g"), link));
  });
  // Without an icon of its own, the browser asks for one that is not there.
  writeFileSync(join(api, file), parts.join("").replace("<head>", '<head>\n<link rel="icon" href="data:,">'));
}
// The style sheet of JDK 17 asks for fonts that are not there.
const style = join(api, "stylesheet.css");
writeFileSync(style, readFileSync(style, "utf8").replace(/@import url\([^)]*\);\n*/, ""));
console.log(`rules linked in the Java API: ${linked}`);
