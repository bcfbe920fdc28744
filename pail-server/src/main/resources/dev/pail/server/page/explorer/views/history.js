import { useContext, useState } from "preact/hooks";
import { write } from "../api.js";
import { html } from "../dom.js";
import { useList } from "../load.js";
import { Confirm, Loaded, More, Shared, Title, VersionForm, nameOf, useMayWrite, useTick } from "../parts.js";
import { link } from "../route.js";
import { Cid, Text, Time, count, nameOfKey, plain } from "../text.js";
import { Compare } from "./compare.js";
import { Preview } from "./value.js";

const MOST_HEADS = 64;
const LANE = 14;
const ROW = 40;
const MOST_LANES = 12;
const COLORS = 6;

/** Gives each event its lane, and the lanes above and below it. Events come before those that they follow. */
function lanes(events) {
  let open = [];
  return events.map(({ event, parents }) => {
    const before = [...open];
    let own = open.indexOf(event);
    if (own < 0) {
      own = open.indexOf(null);
      if (own < 0) own = open.length;
    }
    open = open.map((each) => (each === event ? null : each));
    const targets = parents.map((parent, i) => {
      let lane = open.indexOf(parent);
      if (lane < 0) {
        lane = i === 0 && (open[own] ?? null) === null ? own : open.indexOf(null);
        if (lane < 0) lane = open.length;
        open[lane] = parent;
      }
      return lane;
    });
    while (open.length > 0 && open[open.length - 1] === null) open.pop();
    return { own, before, after: [...open], event, targets };
  });
}

const x = (lane) => LANE / 2 + Math.min(lane, MOST_LANES) * LANE;
const color = (lane) => "lane" + (lane % COLORS);

function Graph({ row, width }) {
  const middle = ROW / 2;
  const curve = (a, y1, b, y2) => `M${x(a)} ${y1}C${x(a)} ${(y1 + y2) / 2} ${x(b)} ${(y1 + y2) / 2} ${x(b)} ${y2}`;
  return html`<svg class="graph" width=${width} height=${ROW} aria-hidden="true" focusable="false">
    ${row.before.map((each, i) =>
      each === null ? null : each === row.event
        ? html`<path class=${color(i)} d=${curve(i, 0, row.own, middle)} />`
        : row.after[i] === each && html`<path class=${color(i)} d=${`M${x(i)} 0V${ROW}`} />`,
    )}
    ${row.targets.map((lane) => html`<path class=${color(lane)} d=${curve(row.own, middle, lane, ROW)} />`)}
    <circle class=${color(row.own)} cx=${x(row.own)} cy=${middle} r="5" />
  </svg>`;
}

/** The lanes beside what is below the point of an event. */
const Between = ({ row, width }) => html`<svg class="graph between" width=${width} aria-hidden="true" focusable="false">
  ${row.after.map((each, i) => each !== null && html`<line class=${color(i)} x1=${x(i)} x2=${x(i)} y1="0" y2="100%" />`)}
</svg>`;

export function HistoryView({ at, name, all }) {
  if (name !== undefined) {
    return html`<${Title} name=${`History of ${plain(name)}`}>History of <${Text} of=${name} empty="(empty key)" /><//>
      <${VersionForm} at=${at} view="history" to=${(next) => link(["history", next], { key: name })} />
      <${KeyHistory} at=${at} name=${name} />`;
  }
  return html`<${Title} name=${`History of ${nameOf(at)}`}>History of <${Text} of=${nameOf(at)} />${all && " and all branches"}<//>
    <${VersionForm} at=${at} view="history" to=${(next) => link(["history", next], { all })} />
    <p class="links">
      ${all ? html`<a href=${link(["history", at])}>Only <${Text} of=${nameOf(at)} /></a>` : html`<a href=${link(["history", at], { all: "yes" })}>All branches</a>`}
      <a href=${link(["log", at])}>Updates</a>
    </p>
    <${Events} at=${at} all=${all} />`;
}

function Events({ at, all }) {
  const { refs, ticks } = useContext(Shared);
  const branches = refs?.branches ?? [];
  const heads = [...new Set(branches.flatMap((branch) => branch.head ?? []))];
  const isAll = all && heads.length > 0;
  const from = isAll ? heads.slice(0, MOST_HEADS).join(",") : at;
  const list = useList("/v1/history", { at: from, limit: 50 }, "events", () => ({ at: undefined }), useTick(at) + (isAll ? Object.keys(ticks).length : 0));
  const names = new Map();
  const add = (kind) => (ref) => (ref.head ?? []).forEach((cid) => names.set(cid, [...(names.get(cid) ?? []), { name: ref.name, kind }]));
  branches.forEach(add("branch"));
  refs?.tags.forEach(add("tag"));
  return html`<${Loaded} load=${list} what="events">
    ${() => {
      const rows = lanes(list.items);
      const width = LANE * Math.min(MOST_LANES + 1, Math.max(1, ...rows.map((row) => Math.max(row.own + 1, row.before.length, row.after.length))));
      return html`<ol class="events">
          ${list.items.map((entry, i) => html`<${EventRow} key=${entry.event} entry=${entry} row=${rows[i]} width=${width} names=${names.get(entry.event) ?? []} />`)}
        </ol>
        ${list.items.length === 0 && html`<p>There are no events yet.</p>`}
        ${all && heads.length > MOST_HEADS && html`<p class="note">Only the first ${MOST_HEADS} heads are shown.</p>`}
        <p class="quiet">${count(list.items.length, "event")}${list.hasMore ? " so far" : ""}</p>
        <${More} list=${list} what="events" />`;
    }}
  <//>`;
}

function summary(entry) {
  if (entry.message) return html`<${Text} of=${entry.message} most=${200} />`;
  if (entry.count === 0) return entry.parents.length > 1 ? "merge" : "no changes";
  const ops = entry.ops.filter((op) => !op.index);
  const first = ops[0] ?? entry.ops[0];
  const hidden = ops.length === 0 ? 0 : entry.ops.length - ops.length;
  const others = entry.count - 1 - hidden;
  return html`${first.op === "put" ? "put" : "delete"} <${Text} of=${nameOfKey(first)} most=${80} empty="(empty key)" />${others > 0 && html` <span class="quiet">and ${count(others, "other")}</span>`}`;
}

function EventRow({ entry, row, width, names }) {
  const [isOpen, setOpen] = useState(false);
  const id = "event-" + entry.event.slice(-12);
  return html`<li>
    <div class="event">
      <div class="rail"><${Graph} row=${row} width=${width} /><${Between} row=${row} width=${width} /></div>
      <button class="plain grow" aria-expanded=${isOpen} aria-controls=${id} onClick=${() => setOpen(!isOpen)}>
        ${names.map((each) => html`<span class=${"ref " + each.kind}><${Text} of=${each.name} most=${30} /></span> `)}
        ${entry.parents.length > 1 && html`<span class="ref merge">merge</span> `}${summary(entry)}${entry.author && html` <span class="quiet">by <${Text} of=${entry.author} most=${80} /></span>`}
      </button>
      <span class="end"><${Time} of=${entry.time ?? entry.imported} /> <${Cid} of=${entry.event} /></span>
    </div>
    <div id=${id} class="opened" hidden=${!isOpen}>
      ${isOpen &&
      html`<${Between} row=${row} width=${width} />
        <div class="grow">
          <p class="facts">
            ${entry.author && html`<span>by <${Text} of=${entry.author} /></span>`}
            <span>root <${Cid} of=${entry.root} href=${link(["keys", entry.root])} name="root" /></span>
            <span>${count(entry.parents.length, "parent")}</span>
            ${entry.imported && html`<span>imported</span>`}
          </p>
          <p class="links">
            <a href=${link(["keys", entry.event])}>Keys at this event</a>
            ${entry.parents.map((parent) => html`<a href=${link(["diff"], { from: parent, to: entry.event })}>Diff with parent …${parent.slice(-8)}</a>`)}
          </p>
          <ul class="ops">
            ${entry.ops.filter((op) => !op.index).map((op) => html`<li><span class=${"op " + op.op}>${op.op === "put" ? "put" : "delete"}</span>
              <a href=${link(["value", entry.event], { key: op.key })}><${Text} of=${nameOfKey(op)} empty="(empty key)" /></a></li>`)}
          </ul>
          ${entry.count > entry.ops.length && html`<p class="quiet">and ${count(entry.count - entry.ops.length, "other")}</p>`}
        </div>`}
    </div>
  </li>`;
}

/** The events that change a key. A value from before can be put again. */
export function KeyHistory({ at, name, value }) {
  const list = useList("/v1/history", { at, key: name, limit: 20 }, "events", () => ({ at: undefined }), useTick(at));
  const mayWrite = useMayWrite(at);
  const [opened, setOpened] = useState();
  const restore = (op) => async () => {
    const headers = { "Content-Type": "application/json", "If-Match": "*" };
    const generation = await write(at, name, { method: "PUT", body: JSON.stringify({ cid: op.value }), headers });
    return `Restored: ${plain(at)} is at generation ${generation}`;
  };
  return html`<section aria-labelledby="key-history">
    <h2 id="key-history">History of this key</h2>
    <${Loaded} load=${list} what="history">
      ${() => html`<ol class="rows">
          ${list.items.map((entry) => {
            const op = entry.ops[entry.ops.length - 1];
            const isOpen = opened === entry.event;
            const shown = entry.event.slice(-8);
            return html`<li key=${entry.event}>
              <span class=${"op " + op.op}>${op.op === "put" ? "put" : "delete"}</span>
              <span class="grow">
                ${op.value && html`<${Cid} of=${op.value} href=${link(["node", op.value])} name="value" />`} ${entry.message && html`<${Text} of=${entry.message} />`}${entry.author && html` <span class="quiet">by <${Text} of=${entry.author} most=${80} /></span>`}
                ${op.value === value && value !== undefined && html` <span class="quiet">(the value now)</span>`}
              </span>
              <span class="end">
                <${Time} of=${entry.time ?? entry.imported} />
                ${" "}<button aria-expanded=${isOpen} aria-label=${`Content after the event ending in ${shown}`} onClick=${() => setOpened(isOpen ? undefined : entry.event)}>Content</button>
                ${" "}<a href=${link(["keys", entry.event])} aria-label=${`Version of the event ending in ${shown}`}>Version</a>
                ${mayWrite && op.value && op.value !== value && html` <${Confirm} action="Restore" question="Put this value again?" run=${restore(op)} />`}
              </span>
              ${isOpen &&
              html`<div class="below">
                ${op.value ? html`<${Preview} cid=${op.value} node=${{}} />` : html`<p class="note">The key was deleted.</p>`}
                ${entry.parents.length > 0 && html`<p class="quiet">Changed by this event:</p><${Compare} from=${entry.parents.join(",")} to=${entry.event} name=${name} />`}
              </div>`}
            </li>`;
          })}
        </ol>
        ${list.items.length === 0 && html`<p>${list.hasMore ? "No event so far changes this key." : "No event changes this key."}</p>`}
        <${More} list=${list} what="events" />`}
    <//>
  </section>`;
}
