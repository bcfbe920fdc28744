import { useContext, useState } from "preact/hooks";
import { ask, send } from "../api.js";
import { html } from "../dom.js";
import { useList } from "../load.js";
import { Loaded, More, Problem, Shared, Title, VersionForm, nameOf, useMayWrite, useTick } from "../parts.js";
import { link } from "../route.js";
import { Text, Time, count, nameOfKey, plain } from "../text.js";
import { Preview } from "./value.js";

/** The keys that were changed on several sides in different ways, and not since. */
export function ConflictsView({ branch }) {
  const list = useList("/v1/conflicts", { branch, limit: 20 }, "conflicts", () => ({}), useTick(branch));
  const mayWrite = useMayWrite(branch);
  return html`<${Title} name=${`Conflicts of ${nameOf(branch)}`}>Conflicts of <${Text} of=${branch} /><//>
    <${VersionForm} at=${branch} view="conflicts" label="Branch" />
    <${Loaded} load=${list} what="conflicts">
      ${() => html`${list.items.length === 0
          ? html`<p>No conflict is open.</p>`
          : html`<p class="quiet">A merge gave each of these the same value in all copies. A conflict is open until someone decides it, or changes the key.</p>`}
        <ul class="cards conflicts">
          ${list.items.map((each) => html`<${Conflict} key=${each.key} branch=${branch} of=${each} mayWrite=${mayWrite} />`)}
        </ul>
        ${list.items.length > 0 && html`<p class="quiet">${count(list.items.length, "conflict")}${list.hasMore ? " so far" : ""}</p>`}
        <${More} list=${list} what="conflicts" />`}
    <//>`;
}

function Conflict({ branch, of, mayWrite }) {
  const { say } = useContext(Shared);
  const [state, setState] = useState({});
  const decide = async (take) => {
    setState({ isRunning: true });
    try {
      const now = await ask(`/v1/branches/${encodeURIComponent(branch)}`);
      const headers = { "If-Match": `"${now.generation}"` };
      const answer = await send("/v1/conflicts", { branch, key: of.key, take }, { method: "POST", headers });
      say(`Decided: ${plain(branch)} is at generation ${(await answer.json()).generation}`);
      setState({});
    } catch (error) {
      setState({ error });
    }
  };
  const sides = [{ take: "base", label: "Before", value: of.base }, ...of.sides.map((side, i) => ({ ...side, take: side.event, label: `Side ${i + 1}` }))];
  return html`<li class="card">
    <h2><a href=${link(["value", branch], { key: of.key })}><${Text} of=${nameOfKey(of)} empty="(empty key)" /></a></h2>
    <div class="sides">
      ${sides.map(
        (side) => html`<section key=${side.take} aria-label=${`${side.label} of ${plain(nameOfKey(of))}`}>
          <h3>${side.label}${side.take !== "base" && side.value === of.now && html` <span class="kind">stands</span>`}</h3>
          ${side.take !== "base" &&
          html`<p class="quiet">
            ${side.message && html`<${Text} of=${side.message} most=${200} /> `}${side.author && html`by <${Text} of=${side.author} /> `}<${Time} of=${side.time} />
            ${" "}<a href=${link(["history", side.event])} aria-label=${`History of ${side.label}`}>History</a>
          </p>`}
          ${side.value === undefined
            ? html`<p class="note">${side.take === "base" ? "There was no value." : "The key was removed."}</p>`
            : html`<${Preview} cid=${side.value} node=${{}} name=${`${side.label} of ${plain(nameOfKey(of))}`} />`}
          ${mayWrite && html`<p><button disabled=${state.isRunning} onClick=${() => decide(side.take)}>Take ${side.label.toLowerCase()}</button></p>`}
        </section>`,
      )}
    </div>
    ${state.error && html`<${Problem} error=${state.error} />`}
  </li>`;
}
