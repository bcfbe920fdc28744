import { html } from "./dom.js";

// Characters that are invisible or change how their neighbours are shown; and spaces at the ends.
const ODD = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u3164\uffa0\u115f\u1160]|^ | $/gu;

const escape = (text) => Array.from({ length: text.length }, (_, i) => "\\u" + text.charCodeAt(i).toString(16).padStart(4, "0")).join("");

/** Text of the repository as strings and, in objects, the escapes of its odd characters. */
function runs(text, odd) {
  const parts = [];
  let end = 0;
  for (const match of text.matchAll(odd)) {
    if (match.index > end) parts.push(text.slice(end, match.index));
    parts.push({ escaped: escape(match[0]) });
    end = match.index + match[0].length;
  }
  if (end < text.length) parts.push(text.slice(end));
  return parts;
}

const rendered = (parts) => parts.map((part) => (typeof part === "string" ? part : html`<span class="escape">${part.escaped}</span>`));

/** Text of the repository on one line: a key, a name. It never changes the direction of its neighbours. */
export function Text({ of, most = 200, empty = "(empty)" }) {
  if (of === "") return html`<i class="quiet">${empty}</i>`;
  const characters = of.length > most ? [...of] : null;
  const isLong = characters !== null && characters.length > most;
  const shown = isLong ? characters.slice(0, most).join("") : of;
  return html`<bdi class="text">${rendered(runs(shown, ODD))}</bdi>${isLong &&
  html`<span class="quiet"> … ${count(characters.length, "character")}</span>`}`;
}

const ODD_IN_LINES = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Text of the repository with line feeds and tabs. */
export const Lines = ({ of, label }) =>
  html`<pre class="lines" tabindex="0" role="region" aria-label=${label}>${rendered(runs(of.replace(/\r\n/g, "\n"), ODD_IN_LINES))}</pre>`;

/** The same for places that take a string alone, as the title of the page. */
export const plain = (text) => runs(text, ODD).map((part) => (typeof part === "string" ? part : part.escaped)).join("");

const MOST_IN_LINE = 2000;

/** A line of a text, with its spaces. */
export const Line = ({ of }) => {
  const isLong = of.length > MOST_IN_LINE;
  return html`<bdi class="text">${rendered(runs(isLong ? of.slice(0, MOST_IN_LINE) : of, ODD_IN_LINES))}</bdi>${isLong && html`<span class="quiet"> … ${count(of.length, "character")}</span>`}`;
};

/** A key, or the table and the row that it stands for. */
export const nameOfKey = ({ key, table, row }) => (table === undefined ? key : row === undefined ? `table ${table}` : `${table} ${row}`);

export const count = (n, one, many = one + "s") => `${n.toLocaleString("en")} ${n === 1 ? one : many}`;

export function bytes(n) {
  if (n < 1000) return count(n, "byte");
  let unit = -1;
  let shown = n;
  do {
    shown /= 1000;
    unit++;
  } while (shown >= 999.5 && unit < 4);
  return `${shown.toPrecision(3)} ${["KB", "MB", "GB", "TB", "PB"][unit]}`;
}

const RELATIVE = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const UNITS = [["year", 31536000], ["month", 2592000], ["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]];

/** A time as an age; its title has the exact time. */
export function Time({ of }) {
  if (!of) return html`<span class="quiet">time unknown</span>`;
  const age = (Date.parse(of) - Date.now()) / 1000;
  const [unit, seconds] = UNITS.find(([, each]) => Math.abs(age) >= each) ?? UNITS[5];
  return html`<time datetime=${of} title=${of}>${RELATIVE.format(Math.round(age / seconds), unit)}</time>`;
}

/** A CID, shortened to what tells it from others. */
export const Cid = ({ of, href, name }) => {
  const short = of.length > 20 ? "…" + of.slice(-8) : of;
  return href
    ? html`<a class="cid" href=${href} title=${of} aria-label=${of.length > 20 ? `${name ?? "CID"} ending in ${of.slice(-8)}` : `${name ?? "CID"} ${of}`}>${short}</a>`
    : html`<code class="cid" title=${of}>${short}</code>`;
};

/** Indents JSON without reading its numbers, which JavaScript would round. */
export function indented(json) {
  const parts = [];
  let depth = 0;
  let before = "";
  const line = () => "\n" + "  ".repeat(Math.min(depth, 40));
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}:,]|[^\s[\]{}:,"]+/g)) {
    const isOpened = before === "{" || before === "[";
    const isEnd = token === "}" || token === "]";
    if (isEnd) depth--;
    // An empty object or array stays on its line.
    if ((isOpened && !isEnd) || (isEnd && !isOpened) || before === ",") parts.push(line());
    if (token === "{" || token === "[") depth++;
    parts.push(token === ":" ? ": " : token);
    before = token;
  }
  return parts.join("");
}
