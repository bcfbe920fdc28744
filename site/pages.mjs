// Which files of the project are pages of the site, and at which address. The pages stay plain Markdown that reads well in a repository,
// so their links name files of the project; markdown.mjs turns these, and links.mjs checks them. Run alone, this copies the pages into target/src.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";

export const project = fileURLToPath(new URL("..", import.meta.url));
const target = fileURLToPath(new URL("target", import.meta.url));
export const source = join(target, "src");
export const output = join(target, "site");

const markdown = (folder) =>
  existsSync(join(project, folder)) ? readdirSync(join(project, folder)).filter((name) => name.endsWith(".md")).sort().map((name) => posix.join(folder, name)) : [];

const alone = {
  "README.md": "overview.md",
  "ARCHITECTURE.md": "architecture.md",
  "CONTRIBUTING.md": "contributing.md",
  "CHANGELOG.md": "changelog.md",
  "SECURITY.md": "security.md",
  "examples/README.md": "examples.md",
  "pail-bench/README.md": "benchmarks.md",
};

const address = (file) => alone[file] ?? file.replace(/^docs\//, "").replace(/^pail-bench\/results\//, "benchmarks-").replace(/README\.md$/, "index.md");

/** The page of each file, by its name in the project. */
export const pages = new Map(
  [...Object.keys(alone), ...["docs", "docs/howto", "docs/reference", "pail-bench/results", "spec"].flatMap(markdown)].map((file) => [file, address(file)]));

/** The file of each page. */
export const files = new Map([...pages].map(([file, page]) => [page, file]));

export const text = (file) => readFileSync(join(project, file), "utf8");

/** The first heading of a page. */
export const title = (file) => /^# (.*)$/m.exec(text(file))[1].replaceAll("`", "");

/** The page of each rule of spec/, as RulesTest finds them. */
export const rules = new Map();
for (const [file, page] of pages) {
  if (!file.startsWith("spec/")) continue;
  for (const [, rule] of text(file).matchAll(/^ *- \*\*([A-Z]+[0-9]+(?:\.[0-9]+)?)\b/gm)) rules.set(rule, page);
}

/**
 * The address that a link of a file leads to, and whether a page is there; undefined for one that leads out of the site.
 *
 * A file that is no page is copied into the site. A folder has no page: its link is only text.
 */
export function follow(file, link) {
  const [path, fragment] = link.split("#");
  const named = posix.join(posix.dirname(file), decodeURIComponent(path));
  const at = fragment === undefined ? "" : "#" + fragment;
  if (named === "docs/api" || named.startsWith("docs/api/")) return { page: false, href: "/" + named.slice("docs/".length) + at };
  const page = pages.get(named);
  if (page) return { page: true, href: "/" + page + at };
  if (!existsSync(join(project, named))) throw new Error(`${file}: nothing is at ${link}`);
  if (statSync(join(project, named)).isDirectory()) return undefined;
  return { page: false, file: named, href: "/files/" + named };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  rmSync(source, { recursive: true, force: true });
  for (const [file, page] of pages) {
    mkdirSync(dirname(join(source, page)), { recursive: true });
    const content = text(file);
    for (const [link] of content.matchAll(/(?<=\]\()(?![a-z]+:|#)[^)\s]+(?=\))/g)) {
      const led = follow(file, link);
      if (led?.file === undefined) continue;
      const copy = join(source, "public", led.href);
      mkdirSync(dirname(copy), { recursive: true });
      cpSync(join(project, led.file), copy);
    }
    writeFileSync(join(source, page), content);
  }
  console.log(`pages: ${pages.size}, rules: ${rules.size}`);
}
