// Writes the diagrams of docs/concepts.md and docs/README.md: node docs/images/diagrams.mjs. Text stays text, and colours follow the reader's choice of dark or light.
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const style = `
  text { font: 14px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #1f2328; }
  .say { font: 14px system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif; fill: #59636e; }
  .name { font: bold 14px system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
  .box { fill: #f6f8fa; stroke: #59636e; }
  .new { fill: #dafbe1; stroke: #1a7f37; }
  .newer { fill: #ddf4ff; stroke: #0969da; }
  .old { fill: none; stroke: #59636e; stroke-dasharray: 4 3; }
  .line { fill: none; stroke: #59636e; }
  .tip { fill: #59636e; }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc; }
    .say { fill: #b1bac4; }
    .box { fill: #21262d; stroke: #9198a1; }
    .new { fill: #12361f; stroke: #3fb950; }
    .newer { fill: #0d2a4d; stroke: #58a6ff; }
    .old { stroke: #9198a1; }
    .line { stroke: #9198a1; }
    .tip { fill: #9198a1; }
  }`;

const safe = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
const words = (x, y, text, kind = "say", anchor = "start") => `<text x="${x}" y="${y}" class="${kind}" text-anchor="${anchor}">${safe(text)}</text>`;

/** A box with lines of text: the first is bold if there are several. */
function box(x, y, width, lines, kind = "box") {
  const height = 14 + 20 * lines.length;
  const inner = lines.map((line, i) => words(x + width / 2, y + 22 + 20 * i, line, i === 0 && lines.length > 1 ? "name" : "", "middle"));
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="6" class="${kind}"/>${inner.join("")}`;
}

function arrow(...points) {
  const [[fromX, fromY], [toX, toY]] = points.slice(-2);
  const angle = (Math.atan2(toY - fromY, toX - fromX) * 180) / Math.PI;
  return `<polyline points="${points.map((each) => each.join(",")).join(" ")}" class="line"/>`
    + `<path d="M0,0 L-9,-4.5 L-9,4.5 Z" transform="translate(${toX},${toY}) rotate(${angle})" class="tip"/>`;
}

function diagram(name, title, width, height, ...parts) {
  const text = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${safe(title)}">`
    + `\n<title>${safe(title)}</title>\n<style>${style}\n</style>\n${parts.flat().join("\n")}\n</svg>\n`;
  writeFileSync(fileURLToPath(new URL(name + ".svg", import.meta.url)), text);
}

diagram("concept-put", "A put writes the shards from the root to the key anew, and shares the others", 640, 250,
  words(150, 20, "version A", "name", "middle"), words(490, 20, "version B: put notes/today", "name", "middle"),
  box(60, 34, 180, ["root A", "archive/  notes/"]), box(400, 34, 180, ["root B", "archive/  notes/"], "new"),
  box(20, 150, 130, ["archive/", "2024  2025"]), box(200, 150, 130, ["notes/", "today = 1"]), box(440, 150, 130, ["notes/", "today = 2"], "new"),
  arrow([110, 88], [85, 148]), arrow([190, 88], [255, 148]), arrow([530, 88], [510, 148]), arrow([440, 88], [440, 120], [120, 120], [104, 148]),
  words(320, 236, "green: written by this put. The rest is shared by both versions.", "say", "middle"));

diagram("concept-delete", "A delete takes the entry away, and a shard that is left empty goes with its link", 640, 250,
  words(150, 20, "version B", "name", "middle"), words(490, 20, "version C: rm notes/today", "name", "middle"),
  box(60, 34, 180, ["root B", "archive/  notes/"]), box(400, 34, 180, ["root C", "archive/"], "new"),
  box(20, 150, 130, ["archive/", "2024  2025"]), box(200, 150, 130, ["notes/", "today = 2"]), box(440, 150, 130, ["notes/", "empty: gone"], "old"),
  arrow([110, 88], [85, 148]), arrow([190, 88], [255, 148]), arrow([440, 88], [440, 120], [120, 120], [104, 148]),
  words(320, 236, "Version B still has its shards: a delete removes no block.", "say", "middle"));

diagram("concept-split-v0", "Format v0: one large shard, split when it is over its limit", 640, 250,
  words(120, 20, "below the limit", "name", "middle"), words(460, 20, "over 512 KiB", "name", "middle"),
  box(30, 34, 180, ["one shard", "notes/a", "notes/b", "photos/1", "..."]),
  box(370, 34, 180, ["root", "notes/ →", "photos/1", "..."], "new"), box(370, 170, 180, ["new shard", "a   b"], "new"),
  arrow([225, 90], [355, 90]), arrow([460, 128], [460, 168]),
  words(290, 80, "split", "say", "middle"), words(120, 236, "few blocks, large ones", "say", "middle"));

diagram("concept-split-v1", "Format v1: a shard of its own for each character that two keys share", 640, 250,
  words(120, 20, "put tea", "name", "middle"), words(460, 20, "put toast", "name", "middle"),
  box(30, 34, 180, ["root", "milk", "tea"]),
  box(370, 34, 180, ["root", "milk", "t →"], "new"), box(370, 150, 180, ["shard t", "ea", "oast"], "new"),
  arrow([225, 70], [355, 70]), arrow([460, 108], [460, 148]),
  words(120, 150, "many blocks, small ones:", "say", "middle"), words(120, 172, "a put writes a few KB", "say", "middle"));

diagram("concept-merge", "Two replicas change apart. Each names the events before its own, and the merge has both newest events as its head", 640, 230,
  box(20, 80, 120, ["event 1", "put tea 3.20"]),
  box(190, 20, 130, ["event 2 (Ann)", "put tea 3.60"]), box(370, 20, 130, ["event 3 (Ann)", "put scone 2.00"], "new"),
  box(190, 150, 130, ["event 4 (Bob)", "put tea 3.40"]), box(370, 150, 130, ["event 5 (Bob)", "rm cake"], "new"),
  arrow([190, 55], [142, 90]), arrow([190, 170], [142, 120]), arrow([370, 47], [322, 47]), arrow([370, 177], [322, 177]),
  words(520, 52, "head after", "say"), words(520, 72, "the merge:", "say"), words(520, 92, "3 and 5", "name"),
  words(320, 118, "arrows: “follows”", "say", "middle"));

diagram("concept-repository", "What is in the folder of a repository", 640, 300,
  box(20, 20, 170, ["heads/main", "newest events"]), box(20, 100, 170, ["tags/opening", "an event"]), box(20, 180, 170, ["logs/main", "who, when, why"]),
  box(260, 60, 150, ["events", "in blocks/"]), box(470, 20, 150, ["shards", "in blocks/"]), box(470, 120, 150, ["values", "in blocks/"]),
  arrow([190, 47], [258, 80]), arrow([190, 127], [258, 100]), arrow([410, 80], [468, 55]), arrow([545, 74], [545, 118]), arrow([190, 200], [330, 200], [330, 116]),
  box(20, 250, 130, ["config"]), box(170, 250, 130, ["LOCK"]), box(320, 250, 130, ["segments/"]), box(470, 250, 150, ["trash/"]),
  words(352, 196, "moves of the branch", "say"));

diagram("concept-segments", "A segment keeps a block whole, and later versions of it as differences", 640, 200,
  words(20, 24, "00001.seg", "name"),
  box(20, 40, 120, ["whole", "shard, 1"]), box(160, 40, 110, ["delta", "shard, 2"]), box(290, 40, 110, ["delta", "shard, 3"]), box(420, 40, 90, ["whole", "value"]), box(530, 40, 90, ["commit", "durable"], "new"),
  arrow([195, 96], [195, 125], [80, 125], [80, 97]), arrow([345, 96], [345, 125], [235, 125], [235, 97]),
  words(420, 130, "A delta names its base: the block", "say"), words(420, 150, "that it changes.", "say"),
  words(20, 185, "What stands before a commit counts. A torn tail behind the last commit does not.", "say"));

diagram("concept-modules", "The modules: arrows point at what is used", 640, 370,
  box(20, 20, 180, ["pail-cli", "the command"]), box(240, 20, 180, ["pail-server", "HTTP"]), box(460, 20, 160, ["pail-jdbc", "PostgreSQL"]),
  box(20, 120, 180, ["pail-table", "rows and indexes"]), box(240, 120, 380, ["pail-repository", "branches, histories, folders, remotes"]),
  box(240, 210, 380, ["pail-blockstore", "stores, segments, CAR, UnixFS"]),
  box(130, 300, 380, ["pail-core", "maps, shards, CIDs, merge, proofs"]),
  arrow([110, 74], [110, 118]), arrow([180, 74], [262, 118]), arrow([330, 74], [330, 118]), arrow([540, 74], [540, 118]), arrow([250, 74], [180, 118]),
  arrow([110, 174], [170, 298]), arrow([430, 174], [430, 208]), arrow([430, 264], [400, 298]));

// Small enough to be whole on a narrow screen, with letters that can be read there.
diagram("versions", "Three versions of a map. Each change writes a root and one shard, and shares the others with the version before", 400, 212,
  box(51, 1, 91, ["version 1", "first"]), box(154, 1, 91, ["version 2", "put tea"], "new"), box(257, 1, 91, ["version 3", "put milk"], "newer"),
  box(1, 121, 91, ["menu/", "tea 3.20"]), box(104, 121, 91, ["notes/", "milk 1"]), box(206, 121, 91, ["menu/", "tea 3.50"], "new"),
  box(308, 121, 91, ["notes/", "milk 2"], "newer"),
  arrow([80, 55], [52, 119]), arrow([113, 55], [141, 119]), arrow([183, 55], [157, 119]), arrow([216, 55], [244, 119]),
  arrow([286, 55], [260, 119]), arrow([319, 55], [347, 119]),
  words(200, 202, "A change writes what differs and shares the rest.", "say", "middle"));
