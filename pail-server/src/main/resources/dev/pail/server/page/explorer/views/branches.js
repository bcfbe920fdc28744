import { useContext } from "preact/hooks";
import { html } from "../dom.js";
import { useList } from "../load.js";
import { Loaded, More, Shared, Title, VersionForm, nameOf, useTick } from "../parts.js";
import { link } from "../route.js";
import { Cid, Text, Time, count } from "../text.js";

/** The newest change of a branch: message, author and time, as far as its event says so. */
function LastChange({ branch }) {
  const list = useList("/v1/history", { at: branch.name, limit: 1 }, "events", () => ({}), useTick(branch.name));
  const [last] = list.items;
  const isKnown = last && (last.message || last.author || last.time);
  return isKnown && html`<p>
    ${last.message && html`<${Text} of=${last.message} most=${200} /> `}
    <span class="quiet">${last.author && html`by <${Text} of=${last.author} /> `}<${Time} of=${last.time} /></span>
  </p>`;
}

/** All branches and tags. */
export function BranchesView() {
  const { refsLoad } = useContext(Shared);
  return html`<${Title} name="Branches">Branches<//>
    <${Loaded} load=${refsLoad} what="branches">
      ${({ branches, tags }) => html`
        ${branches.length === 0 && html`<p>There are no branches yet. <code>pail put KEY FILE</code> makes the first.</p>`}
        <ul class="cards">
          ${branches.map(
            (branch) => html`<li class="card" key=${branch.name}>
              <h2><a href=${link(["keys", branch.name])}><${Text} of=${branch.name} /></a></h2>
              <p class="quiet">
                generation ${branch.generation} · ${(branch.head ?? []).length > 1 ? `${branch.head.length} heads` : "head"}${" "}
                ${(branch.head ?? []).map((cid) => html`<${Cid} of=${cid} /> `)}
              </p>
              <${LastChange} branch=${branch} />
              <p class="links">
                <a href=${link(["history", branch.name])} aria-label=${`History of ${branch.name}`}>History</a>
                <a href=${link(["log", branch.name])} aria-label=${`Updates of ${branch.name}`}>Updates</a>
                <a href=${link(["diff"], { from: branch.name + "@{1}", to: branch.name })} aria-label=${`Last change of ${branch.name}`}>Last change</a>
                <a href=${link(["shards", branch.name])} aria-label=${`Shards of ${branch.name}`}>Shards</a>
              </p>
            </li>`,
          )}
        </ul>
        ${tags.length > 0 &&
        html`<h2>Tags</h2>
          <ul class="rows">
            ${tags.map(
              (tag) => html`<li key=${tag.name}>
                <a href=${link(["keys", tag.name])}><${Text} of=${tag.name} /></a>
                <span class="end"><a href=${link(["history", tag.name])} aria-label=${`History of ${tag.name}`}>History</a></span>
              </li>`,
            )}
          </ul>`}
      `}
    <//>`;
}

/** The ref updates of a branch. */
export function LogView({ branch }) {
  const list = useList(`/v1/log/${encodeURIComponent(branch)}`, { limit: 50 }, "updates", () => ({}), useTick(branch));
  return html`<${Title} name=${`Updates of ${nameOf(branch)}`}>Updates of <${Text} of=${branch} /><//>
    <${VersionForm} at=${branch} view="log" label="Branch" />
    <${Loaded} load=${list} what="updates">
      ${() => html`<ol class="rows" reversed>
          ${list.items.map((update) => {
            const version = `${branch}@{${update.generation}}`;
            const to = update.to.join(",");
            const from = update.from.join(",");
            return html`<li key=${update.generation}>
              <span class="number" aria-label="generation">${update.generation}</span>
              <span class="grow"><${Text} of=${update.message ?? update.reason} most=${300} empty="no reason given" />
                ${update.author && html`<span class="quiet"> by <${Text} of=${update.author} /></span>`}</span>
              <span class="end">
                <${Time} of=${update.time} />
                ${to && html` <a href=${link(["keys", to])} aria-label=${`Keys of ${version}`}>Keys</a>`}
                ${to && from && html` <a href=${link(["diff"], { from, to })} aria-label=${`Changes of ${version}`}>Changes</a>`}
              </span>
            </li>`;
          })}
        </ol>
        ${list.items.length === 0 && html`<p>The log has no updates.</p>`}
        <p class="quiet">${count(list.items.length, "update")}${list.hasMore ? " so far" : ""}</p>
        <${More} list=${list} what="updates" />`}
    <//>`;
}
