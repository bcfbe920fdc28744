import { useState } from "preact/hooks";
import { ask, blockBytes } from "../api.js";
import { decode } from "../cbor.js";
import { html } from "../dom.js";
import { useLoad } from "../load.js";
import { Loaded, Title, VersionForm, nameOf, useTick } from "../parts.js";
import { link } from "../route.js";
import { Cid, Text, bytes, count, plain } from "../text.js";

const MOST_ENTRIES = 100;

/** In versions 1 and 2, each entry of a shard has a character of printable ASCII of its own. */
const CHARACTERS = 95;

/** How full a shard can be, from the configuration in the root of its pail. */
async function limits(root, signal) {
  const header = decode(await blockBytes(root, signal));
  const version = header.get("version") ?? 0;
  return version === 0
    ? { version, fill: ({ bytes: size }) => size / (header.get("maxSize") ?? 524288) }
    : { version, fill: (shard) => shard.count / CHARACTERS };
}

/** The shards of a version as a tree. */
export function ShardsView({ at, prefix, name }) {
  const load = useLoad(
    async (signal) => {
      const top = await ask("/v1/shard", { at, prefix, sizes: "true" }, { signal });
      return { top, limits: await limits(top.root, signal) };
    },
    [at, prefix],
    useTick(at),
  );
  return html`<${Title} name=${`Shards of ${nameOf(at)} ${plain(prefix)}`}>Shards of <${Text} of=${nameOf(at)} />${prefix && html` below <${Text} of=${prefix} />`}<//>
    <${VersionForm} at=${at} view="shards" to=${(next) => link(["shards", next], { key: name })} />
    ${prefix !== "" && html`<p><a href=${link(["shards", at])}>From the root</a></p>`}
    <${Loaded} load=${load} what="shards">
      ${(data) => html`<p class="quiet">
          Version ${data.limits.version}. A shard is a block; it leads to other shards and to values.${" "}
          ${data.limits.version === 0 ? "Fill is its size of the largest size." : "Fill is its entries of 95, one for each character."}
        </p>
        <ul class="tree" key=${data.top.root}>
          <${Shard} root=${data.top.root} at=${at} prefix=${data.top.prefix} label=${data.top.prefix} cid=${data.top.shard} depth=${data.top.depth} size=${sizeOf(data.top)} given=${data.top} limits=${data.limits} toward=${name} isOpen=${true} />
        </ul>`}
    <//>`;
}

/** A bar with a number beside it. */
const Fill = ({ part }) => {
  const percent = Math.round(100 * Math.min(1, part));
  return html`<span class="fill"><progress max="100" value=${percent} aria-label="fill"></progress> ${percent} %</span>`;
};

const sizeOf = (shard) => ({ bytes: shard.bytes, count: shard.entries.length });

function Shard({ root, at, prefix, label, cid, depth, size, given, limits: full, toward, isOpen }) {
  const [open, setOpen] = useState(isOpen === true || (toward !== undefined && prefix !== "" && toward.startsWith(prefix)));
  const load = useLoad(async (signal) => (open ? (given ?? (await ask("/v1/shard", { at: root, prefix, sizes: "true" }, { signal }))) : null), [root, prefix, open]);
  const shard = load.data;
  const known = shard ? sizeOf(shard) : size;
  return html`<li>
    <div class="shard">
      <button class="plain" aria-expanded=${open} onClick=${() => setOpen(!open)}>
        <span class="twist" aria-hidden="true">${open ? "▾" : "▸"}</span> <${Text} of=${label} empty="root" />
      </button>
      ${known.missing && html`<strong class="bad">missing or corrupt</strong>`}
      ${known.bytes !== undefined &&
      html`<span class="facts"><span>depth ${depth}</span><span>${bytes(known.bytes)}</span><span>${count(known.count, "entry", "entries")}</span><${Fill} part=${full.fill(known)} /></span>`}
      <span class="end"><${Cid} of=${cid} href=${link(["node", cid])} name="shard" /></span>
    </div>
    ${open && html`<${Loaded} load=${load} what="shard">${(data) => html`<${Entries} shard=${data} root=${root} at=${at} limits=${full} toward=${toward} />`}<//>`}
  </li>`;
}

function Entries({ shard, root, at, limits: full, toward }) {
  const [most, setMost] = useState(MOST_ENTRIES);
  const isSingle = shard.entries.length === 1;
  return html`<ul class=${isSingle ? "single" : ""}>
      ${shard.entries.slice(0, most).map((entry) => {
        const path = shard.prefix + entry.key;
        return html`${entry.value !== undefined &&
        html`<li class="leaf" key=${"=" + entry.key}>
          <a href=${link(["value", at], { key: path })}><${Text} of=${entry.key} empty=${path === "" ? "(empty key)" : "(value of the prefix)"} /></a>
          <span class="end"><${Cid} of=${entry.value} href=${link(["node", entry.value])} name="value" /></span>
        </li>`}
        ${entry.shard !== undefined &&
        html`<${Shard} key=${entry.key} root=${root} at=${at} prefix=${path} label=${entry.key} cid=${entry.shard} depth=${shard.depth + 1} size=${entry} limits=${full} toward=${toward} isOpen=${isSingle} />`}`;
      })}
    </ul>
    ${shard.entries.length === 0 && html`<p class="quiet">No entries.</p>`}
    ${shard.entries.length > most && html`<p><button onClick=${() => setMost(most + MOST_ENTRIES)}>More entries of ${count(shard.entries.length, "entry", "entries")}</button></p>`}`;
}
