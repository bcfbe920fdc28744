import { useState } from "preact/hooks";
import { ask } from "../api.js";
import { html } from "../dom.js";
import { useList, useLoad } from "../load.js";
import { Loaded, More, Title, VersionForm, nameOf, useTick } from "../parts.js";
import { link } from "../route.js";
import { Cid, Text, bytes, count, nameOfKey, plain } from "../text.js";
import { Compare } from "./compare.js";

/** What differs between two versions, by key or by shard. */
export function DiffView({ from, to, by, prefix }) {
  const earlier = from ?? "";
  const later = to ?? "main";
  const address = (next) => link(["diff"], { from: earlier, to: later, by, prefix, ...next });
  const tab = (key, name) => html`<a href=${address({ by: key })} aria-current=${by === key ? "true" : undefined}>${name}</a>`;
  return html`<${Title} name=${`Diff of ${nameOf(earlier)} and ${nameOf(later)}`}>Diff<//>
    <div class="bar">
      <${VersionForm} at=${earlier} label="From" to=${(next) => address({ from: next })} />
      <${VersionForm} at=${later} label="To" to=${(next) => address({ to: next })} />
      <a class="button" href=${link(["diff"], { from: later, to: earlier, by, prefix })}>Swap</a>
    </div>
    <p class="tabs" role="group" aria-label="Kind of diff">${tab("keys", "By key")} ${tab("shards", "By shard")}</p>
    ${earlier === ""
      ? html`<p>Choose the version to compare with.</p>`
      : by === "shards"
        ? html`<${ByShard} from=${earlier} to=${later} />`
        : html`<${ByKey} from=${earlier} to=${later} prefix=${prefix} />`}`;
}

function ByKey({ from, to, prefix }) {
  const list = useList("/v1/diff", { from, to, prefix, limit: 100 }, "changes", (first) => ({ from: first.from, to: first.to }), useTick(to));
  const [opened, setOpened] = useState();
  // Entries of indexes follow from the rows.
  const changes = list.items.filter((change) => !change.index);
  return html`<${Loaded} load=${list} what="changes">
    ${(first) => html`
      ${changes.length === 0
        ? html`<p class="note">${first.from === first.to ? "Both are the same version." : "No key differs."}</p>`
        : html`<table class="diff">
            <caption class="hidden">Changed keys</caption>
            <thead><tr><th scope="col">Change</th><th scope="col">Key</th><th scope="col">Before</th><th scope="col">After</th><th scope="col">Content</th></tr></thead>
            <tbody>
              ${changes.map((change) => {
                const kind = change.before === undefined ? "added" : change.after === undefined ? "removed" : "changed";
                const isOpen = opened === change.key;
                return html`<tr key=${change.key} class=${kind}>
                  <td><span class=${"change " + kind}>${kind}</span></td>
                  <td class="name"><a href=${link(["value", kind === "removed" ? from : to], { key: change.key })}><${Text} of=${nameOfKey(change)} empty="(empty key)" /></a></td>
                  <td>${change.before && html`<${Cid} of=${change.before} href=${link(["node", change.before])} name="value before" />`}</td>
                  <td>${change.after && html`<${Cid} of=${change.after} href=${link(["node", change.after])} name="value after" />`}</td>
                  <td><button aria-expanded=${isOpen} aria-label=${`Compare ${plain(nameOfKey(change))}`} onClick=${() => setOpened(isOpen ? undefined : change.key)}>Compare</button></td>
                </tr>
                ${isOpen && html`<tr class="document" key=${"+" + change.key}><td colspan="5"><${Compare} from=${first.from} to=${first.to} name=${change.key} /></td></tr>`}`;
              })}
            </tbody>
          </table>`}
      <p class="quiet">${count(changes.length, "changed key")}${list.hasMore ? " so far" : ""}</p>
      <${More} list=${list} what="changes" />
    `}
  <//>`;
}

function ByShard({ from, to }) {
  const load = useLoad(async (signal) => {
    // A diff would read shards that may be broken.
    const [one, two] = await Promise.all([from, to].map((at) => ask("/v1/shard", { at }, { signal })));
    return { from: one.root, to: two.root };
  }, [from, to, "roots"], useTick(to));
  return html`<${Loaded} load=${load} what="shards">
    ${(roots) => html`
      <p class="quiet">Shards that both versions share are grey: they are one block, stored once.</p>
      <ul class="tree" key=${roots.from + roots.to}>
        <${Pair} roots=${roots} prefix="" label="" before=${roots.from} after=${roots.to} isOpen=${true} />
      </ul>
    `}
  <//>`;
}

const kindOf = (before, after) => (before === after ? "shared" : before === undefined ? "added" : after === undefined ? "removed" : "changed");

function Pair({ roots, prefix, label, before, after, isOpen }) {
  const kind = kindOf(before, after);
  const [open, setOpen] = useState(isOpen === true && kind !== "shared");
  const load = useLoad(
    async (signal) => {
      if (!open) return null;
      const [one, two] = await Promise.all([
        before && ask("/v1/shard", { at: roots.from, prefix }, { signal }),
        after && after !== before && ask("/v1/shard", { at: roots.to, prefix }, { signal }),
      ]);
      return { one, two: after === before ? one : two };
    },
    [prefix, before, after, open],
  );
  return html`<li class=${kind}>
    <div class="shard">
      <button class="plain" aria-expanded=${open} onClick=${() => setOpen(!open)}>
        <span class="twist" aria-hidden="true">${open ? "▾" : "▸"}</span> <${Text} of=${label} empty="root" />
      </button>
      <span class=${"change " + kind}>${kind}</span>
      ${load.data && html`<span class="facts"><span>${sizes(load.data)}</span></span>`}
      <span class="end">${[...new Set([before, after])].filter(Boolean).map((cid) => html`<${Cid} of=${cid} href=${link(["node", cid])} name="shard" /> `)}</span>
    </div>
    ${open && html`<${Loaded} load=${load} what="shard">${(data) => html`<${PairEntries} roots=${roots} data=${data} prefix=${prefix} />`}<//>`}
  </li>`;
}

const sizes = ({ one, two }) => (one && two && one !== two ? `${bytes(one.bytes)} → ${bytes(two.bytes)}` : bytes((one ?? two).bytes));

/** The entries of two shards, by their keys; runs of equal ones as one line. */
function PairEntries({ roots, data, prefix }) {
  const [isWhole, setWhole] = useState(false);
  const all = new Map();
  for (const side of ["one", "two"]) {
    for (const entry of data[side]?.entries ?? []) {
      const both = all.get(entry.key) ?? {};
      both[side] = entry;
      all.set(entry.key, both);
    }
  }
  const entries = [...all].sort(([a], [b]) => (a < b ? -1 : 1));
  const isSame = ({ one, two }) => one?.shard === two?.shard && one?.value === two?.value;
  const same = entries.filter(([, both]) => isSame(both));
  const shared = same.filter(([, { one }]) => one.shard !== undefined);
  const isShort = isWhole || same.length <= 8 || data.one === data.two;
  const shown = isShort ? entries : entries.filter(([, both]) => !isSame(both));
  return html`<ul class=${entries.length === 1 ? "single" : ""}>
      ${shown.slice(0, 1000).map(([key, { one, two }]) => html`
        ${(one?.value !== undefined || two?.value !== undefined) && html`<${Leaf} key=${"=" + key} roots=${roots} path=${prefix + key} label=${key} before=${one?.value} after=${two?.value} />`}
        ${(one?.shard !== undefined || two?.shard !== undefined) && html`<${Pair} key=${key} roots=${roots} prefix=${prefix + key} label=${key} before=${one?.shard} after=${two?.shard} isOpen=${entries.length < 40} />`}`)}
    </ul>
    ${!isShort &&
    html`<p class="shared"><button onClick=${() => setWhole(true)}>Show ${count(same.length, "equal entry", "equal entries")}</button>${" "}
      ${shared.length > 0 && `${count(shared.length, "shared shard")} among them`}</p>`}`;
}

function Leaf({ roots, path, label, before, after }) {
  const kind = kindOf(before, after);
  return html`<li class=${"leaf " + kind}>
    <a href=${link(["value", kind === "removed" ? roots.from : roots.to], { key: path })}><${Text} of=${label} empty=${path === "" ? "(empty key)" : "(value of the prefix)"} /></a>
    <span class=${"change " + kind}>${kind === "shared" ? "equal" : kind}</span>
  </li>`;
}
