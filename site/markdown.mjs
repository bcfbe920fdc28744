// What Markdown of the project needs beside that of VitePress: links between files of the project, and rules of spec/.
import { files, follow, rules } from "./pages.mjs";

const ids = [...rules.keys()];
const letters = [...new Set(ids.map((id) => id.replace(/[0-9.]+$/, "")))].sort((a, b) => b.length - a.length);
const mention = new RegExp(`(?<![\\w.#/%\\\\-])((?:${letters.join("|")})[0-9]+(?:\\.[0-9]+)?)(?![\\w]|\\.[0-9])`, "g");

/** The name of an anchor, as GitHub makes it of a heading: the links in the pages are right at both places. */
export const slug = (text) => text.trim().toLowerCase().replace(/[^\p{L}\p{N}\p{M}_\- ]/gu, "").replaceAll(" ", "-");

/** Calls a function with each link and image of a page. */
function eachLink(tokens, use) {
  for (const token of tokens) {
    for (const child of token.children ?? []) {
      const name = { link_open: "href", image: "src" }[child.type];
      if (name) use(child, name, token.children);
    }
  }
}

function links(state) {
  const file = files.get(state.env.relativePath);
  if (!file) return;
  eachLink(state.tokens, (token, name, siblings) => {
    const link = token.attrGet(name);
    if (/^([a-z]+:|#|\/)/.test(link)) return;
    const led = follow(file, link);
    if (led) {
      token.attrSet(name, led.href);
      // What is no page of VitePress is loaded by the browser itself.
      if (name === "href" && !led.page) token.attrSet("target", "_self");
      return;
    }
    const end = siblings.slice(siblings.indexOf(token)).find((each) => each.type === "link_close");
    for (const each of [token, end]) Object.assign(each, { type: "text", tag: "", content: "", nesting: 0 });
  });
}

/** Whether a number such as T1 in this text of a page is surely a rule: in spec/, or with the word before it, or if it has two letters. */
const isRule = (file, text, id) => rules.has(id) && (file.startsWith("spec/") || /^[A-Z]{2}/.test(id) || /\brules?\b/i.test(text));

function ruleLinks(state) {
  const file = files.get(state.env.relativePath);
  if (!file || file.startsWith("pail-bench/")) return;
  let inHeading = false;
  for (const token of state.tokens) {
    if (token.type === "heading_open") inHeading = true;
    if (token.type === "heading_close") inHeading = false;
    if (token.type !== "inline" || inHeading) continue;
    const whole = token.children.map((child) => child.content).join(" ");
    const children = [];
    let inLink = 0;
    for (const [at, child] of token.children.entries()) {
      inLink += child.type === "link_open" ? 1 : child.type === "link_close" ? -1 : 0;
      if (child.type !== "text" || inLink > 0) {
        children.push(child);
        continue;
      }
      const first = token.children.slice(0, at).every((each) => each.type === "strong_open" || each.content === "") && at > 0;
      let from = 0;
      const text = (to) => {
        if (to <= from) return;
        const part = new state.Token("text", "", 0);
        part.content = child.content.slice(from, to);
        children.push(part);
      };
      for (const found of child.content.matchAll(mention)) {
        const id = found[1];
        const isHome = file.startsWith("spec/") && first && found.index === 0 && rules.get(id) === state.env.relativePath;
        if (!isHome && !isRule(file, whole, id)) continue;
        text(found.index);
        const open = new state.Token("link_open", "a", 1);
        open.attrs = isHome
          ? [["href", "#" + id], ["id", id], ["class", "rule"]]
          : [["href", `/${rules.get(id)}#${id}`], ["class", "mention"]];
        const name = new state.Token("text", "", 0);
        name.content = id;
        children.push(open, name, new state.Token("link_close", "a", -1));
        from = found.index + id.length;
      }
      text(child.content.length);
    }
    token.children = children;
  }
}

/** A head of a column without text is no head, and a diagram of the concepts that is wider than the screen scrolls alone. */
function tablesAndDiagrams(state) {
  for (const [at, token] of state.tokens.entries()) {
    const inner = state.tokens[at + 1];
    if (token.type === "th_open" && inner.content === "") {
      token.tag = "td";
      state.tokens[at + 2].tag = "td";
    }
    if (token.type === "paragraph_open" && inner.children?.length === 1 && /concept-[^/]*\.svg$/.test(inner.children[0].attrGet("src") ?? "")) {
      token.attrSet("class", "diagram");
      token.attrSet("tabindex", "0");
    }
  }
}

export function projectMarkdown(md) {
  md.core.ruler.push("project_tables", tablesAndDiagrams);
  md.core.ruler.push("project_links", links);
  md.core.ruler.push("project_rules", ruleLinks);
}
