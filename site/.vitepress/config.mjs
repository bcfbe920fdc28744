import { defineConfig } from "vitepress";
import { pages, title } from "../pages.mjs";
import { projectMarkdown, slug } from "../markdown.mjs";

/** An entry of the menu: a file of the project by the title of its page, or by a shorter text. */
const entry = (file, text = title(file)) => ({ text, link: "/" + pages.get(file).replace(/(index)?\.md$/, "") });

/** The entries of a folder that no other part of the menu has. */
const folder = (name) => [...pages.keys()].filter((file) => file.startsWith(name + "/") && !file.endsWith("README.md"));

const doc = (name, text) => (pages.has(`docs/${name}.md`) ? [entry(`docs/${name}.md`, text)] : []);

/** What most readers want comes first; a page that is not here comes last. */
const howTo = ["back-up-a-folder", "recover-from-a-mistake", "scripts", "sync-a-team", "share-with-ipfs", "configuration-in-java", "tables", "postgresql", "free-space", "verify-in-a-cron-job"];
const place = (file) => (howTo.findIndex((name) => file.endsWith(`/${name}.md`)) + howTo.length + 1) % (howTo.length + 1);

const guides = {
  history: "History and merges",
  files: "Files and folders",
  storage: "Storage and space",
  tables: "Tables",
  sync: "Clone, pull, push",
  team: "A server for a team",
  postgresql: "PostgreSQL",
  s3: "S3",
  spark: "Builds on Spark",
  sql: "SQL in Java",
  serve: "Blocks over HTTP",
  explorer: "The page in a browser",
  proofs: "Proofs and signatures",
  java: "Java guide",
};

const home = { text: "Start", link: "/" };
const commands = "docs/reference/README.md";

/** The menu of the pages for people, and those of the two parts that have many pages. */
const sidebar = {
  "/": [
    {
      text: "Begin",
      items: [
        home,
        entry("README.md", "Overview and install"),
        ...doc("tutorial", "Tutorial"),
        ...doc("cookbook", "Cookbook"),
        ...doc("concepts", "Concepts"),
        ...doc("formats", "Which format"),
        ...doc("faq", "Questions"),
        ...doc("glossary", "Glossary"),
      ],
    },
    { text: "How to", items: folder("docs/howto").sort((a, b) => place(a) - place(b)).map((file) => entry(file)) },
    { text: "Guides", items: Object.entries(guides).flatMap(([name, text]) => doc(name, text)) },
    {
      text: "Coming from",
      items: [
        ...doc("from-benchtop", "Benchtop"),
        ...doc("from-namespacing", "key-namespacing, LevelDB"),
        { text: "Pail's specification", link: "/spec/pail#9-the-specification-of-pail-line-by-line" },
      ],
    },
    {
      text: "Reference",
      items: [
        ...(pages.has(commands) ? [entry(commands, "Commands")] : []),
        ...doc("errors", "Error codes"),
        ...doc("api", "JSON API"),
        { text: "Java API", link: "/api/index.html", target: "_self" },
        entry("examples/README.md", "Examples in Java"),
        entry("spec/README.md", "Specification"),
      ],
    },
    {
      text: "Trust",
      items: [
        ...doc("promises", "Promises"),
        ...doc("testing", "How it is tested"),
        entry("pail-bench/README.md"),
        ...doc("versions", "Versions"),
        ...doc("dependencies", "Dependencies"),
      ],
    },
    { text: "Project", items: ["ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"].map((file) => entry(file)) },
  ],
  "/reference/": [{ text: "Commands", items: [home, ...(pages.has(commands) ? [entry(commands, "All commands")] : []), ...folder("docs/reference").map((file) => entry(file))] }],
  "/spec/": [{ text: "Specification", items: [home, entry("spec/README.md", "All rules"), ...folder("spec").map((file) => entry(file))] }],
};

export default defineConfig({
  title: "Pail for the JVM",
  description: "A key/value map that keeps every version of itself",
  lang: "en",
  base: process.env.SITE_BASE ?? "/",
  srcDir: "target/src",
  outDir: "target/site",
  cacheDir: "target/cache",
  // The API is made by javadoc; links.mjs checks links to it, and fragments.
  ignoreDeadLinks: [/^\/api\//, /^\/files\//],
  head: [["link", { rel: "icon", href: "data:," }]],
  vite: { build: { assetsInlineLimit: 0, chunkSizeWarningLimit: 2000 }, publicDir: "public" },
  markdown: {
    anchor: { slugify: slug },
    languageAlias: { conf: "ini", caddy: "nginx", ipldsch: "python", hex: "ini" },
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    config: (md) => md.use(projectMarkdown),
  },
  themeConfig: {
    outline: { level: [2, 3] },
    search: { provider: "local" },
    nav: [
      ...doc("tutorial", "Tutorial"),
      ...doc("cookbook", "Cookbook"),
      { text: "Java", link: "/java" },
      ...(pages.has("docs/reference/README.md") ? [{ text: "Commands", link: "/reference/" }] : []),
      { text: "Specification", link: "/spec/" },
      { text: "API", link: "/api/index.html", target: "_self" },
    ],
    sidebar,
  },
});
