import { ask } from "../api.js";
import { html } from "../dom.js";
import { useLoad } from "../load.js";
import { Loaded } from "../parts.js";
import { link } from "../route.js";
import { Cid, Line, Text, bytes } from "../text.js";

/** What differs in the value of a key between two versions, side by side. */
export function Compare({ from, to, name, tick }) {
  const load = useLoad((signal) => ask("/v1/diff/value", { from, to, key: name }, { signal }), ["compare", from, to, name], tick);
  return html`<${Loaded} load=${load} what="difference">
    ${(diff) =>
      diff.lines
        ? html`<${LineTable} runs=${diff.lines} />`
        : diff.fields
          ? html`<${Parts} what="Field" parts=${diff.fields.map((each) => ({ ...each, name: each.field }))} show=${json} />`
          : diff.names
            ? html`<${Parts} what="Name" parts=${diff.names} show=${block} />`
            : html`<${Whole} diff=${diff} />`}
  <//>`;
}

const json = (value) => html`<${Text} of=${JSON.stringify(value)} most=${2000} />`;
const block = (cid) => html`<${Cid} of=${cid} href=${link(["node", cid])} name="value" />`;

const Heads = ({ first }) => html`<thead><tr><th scope="col">${first}</th><th scope="col">Before</th><th scope="col">After</th></tr></thead>`;

/** Fields or names, each with its value before and after. */
const Parts = ({ what, parts, show }) => html`<table class="compare">
  <caption class="hidden">Differences</caption>
  <${Heads} first=${what} />
  <tbody>
    ${parts.map((part) => html`<tr key=${part.name}>
      <th scope="row"><${Text} of=${part.name} /></th>
      <td class=${part.before === undefined ? "" : "removed"}>${part.before !== undefined && show(part.before)}</td>
      <td class=${part.after === undefined ? "" : "added"}>${part.after !== undefined && show(part.after)}</td>
    </tr>`)}
  </tbody>
</table>`;

/** A line that may be none. */
const Cell = ({ of, kind }) => html`<td class=${of === undefined ? "" : kind}>${of !== undefined && html`<${Line} of=${of.replace(/\r?\n$/, "")} />`}</td>`;

/** Lines beside each other, with the unchanged ones around them. */
const LineTable = ({ runs }) =>
  runs.length === 0
    ? html`<p class="quiet">The texts are equal.</p>`
    : html`<table class="compare linewise">
        <caption class="hidden">Differences</caption>
        <${Heads} first="Line" />
        ${runs.map((run, i) => html`<tbody key=${i}>
          ${run.above.map((line, j) => html`<tr key=${"a" + j}><th scope="row">${run.line - run.above.length + j}</th><${Cell} of=${line} kind="" /><${Cell} of=${line} kind="" /></tr>`)}
          ${Array.from({ length: Math.max(run.removed.length, run.added.length) }, (_, j) => html`<tr key=${j}>
            <th scope="row">${j < run.added.length ? run.line + j : ""}</th>
            <${Cell} of=${run.removed[j]} kind="removed" />
            <${Cell} of=${run.added[j]} kind="added" />
          </tr>`)}
          ${run.below.map((line, j) => html`<tr key=${"b" + j}><th scope="row">${run.line + run.added.length + j}</th><${Cell} of=${line} kind="" /><${Cell} of=${line} kind="" /></tr>`)}
        </tbody>`)}
      </table>`;

/** Values that have no lines or fields to compare. */
function Whole({ diff }) {
  const side = (cid, size, isMissing) =>
    cid === undefined
      ? html`<span class="quiet">none</span>`
      : html`<${Cid} of=${cid} href=${link(["node", cid])} name="value" /> ${isMissing ? "not here" : size !== undefined && bytes(size)}`;
  return html`<table class="compare">
    <caption class="hidden">Differences</caption>
    <${Heads} first="" />
    <tbody>
      <tr>
        <th scope="row">Value</th>
        <td>${side(diff.before, diff.sizeBefore, diff.missingBefore)}</td>
        <td>${side(diff.after, diff.sizeAfter, diff.missingAfter)}</td>
      </tr>
    </tbody>
  </table>`;
}
