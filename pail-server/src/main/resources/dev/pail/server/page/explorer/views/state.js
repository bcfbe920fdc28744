import { useContext, useEffect, useRef, useState } from "preact/hooks";
import { ask } from "../api.js";
import { html } from "../dom.js";
import { useLoad } from "../load.js";
import { Loaded, Problem, Shared, Title } from "../parts.js";
import { link } from "../route.js";
import { Cid, Text, Time, bytes, count } from "../text.js";
import { verify } from "../verify.js";

const WORDS = { collection: "Garbage collection", logsKeptSince: "Logs kept since", caller: "You" };
const label = (name) => WORDS[name] ?? name[0].toUpperCase() + name.slice(1).replace(/[A-Z]/g, (each) => " " + each.toLowerCase());
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

function Facts({ of }) {
  return html`<dl class="state">
    ${Object.entries(of).map(([name, value]) => html`<div>
      <dt>${label(name)}</dt>
      <dd>${Array.isArray(value) ? value.map((each) => html`<code><${Text} of=${String(each)} /></code> `)
        : typeof value === "object" && value !== null ? html`<${Facts} of=${value} />`
        : typeof value === "boolean" ? (value ? "yes" : "no")
        : TIME.test(value) ? html`<${Time} of=${value} />` : html`<${Text} of=${String(value)} />`}</dd>
    </div>`)}
  </dl>`;
}

/** What the repository is, and whether its blocks are those of their CIDs. */
export function StateView() {
  const load = useLoad((signal) => ask("/v1/state", {}, { signal }), ["state"]);
  return html`<${Title} name="State">State<//>
    <${Loaded} load=${load} what="state">${(state) => html`<${Facts} of=${state} />`}<//>
    <${Verification} />`;
}

function Verification() {
  const { refs } = useContext(Shared);
  const branches = refs?.branches ?? [];
  const [at, setAt] = useState();
  const [withValues, setWithValues] = useState(true);
  const [state, setState] = useState({});
  const running = useRef();
  useEffect(() => () => running.current?.abort(), []);
  const version = at ?? (branches.some((branch) => branch.name === "main") ? "main" : (branches[0]?.name ?? "main"));
  async function start(event) {
    event.preventDefault();
    running.current?.abort();
    const abort = (running.current = new AbortController());
    setState({ isRunning: true });
    try {
      const { root } = await ask("/v1/shard", { at: version }, { signal: abort.signal }).catch((error) => {
        // The root itself may be broken: the branch names it.
        const branch = branches.find((each) => each.name === version);
        if (branch?.root && error.status !== 401) return branch;
        throw error;
      });
      let shown = 0;
      const step = (done) => {
        if (Date.now() - shown > 100) {
          shown = Date.now();
          setState({ isRunning: true, done });
        }
      };
      const done = await verify(root, withValues, step, abort.signal);
      setState({ done, root });
    } catch (error) {
      if (!abort.signal.aborted) setState({ error });
    }
  }
  const { done, error, isRunning } = state;
  return html`<section aria-labelledby="verify">
    <h2 id="verify">Verify a version</h2>
    <p class="quiet">This browser gets each block and compares its bytes with its CID, so it need not trust the server. <code>pail verify</code> checks the whole repository.</p>
    ${globalThis.crypto?.subtle === undefined
      ? html`<p class="note">Browsers hash only on pages from this machine or over HTTPS.</p>`
      : html`<form class="version" onSubmit=${start} aria-label="Verify">
          <label for="verify-version">Version</label>
          <input id="verify-version" value=${version} onInput=${(event) => setAt(event.target.value)} autocomplete="off" spellcheck=${false} />
          <label><input type="checkbox" checked=${withValues} onChange=${(event) => setWithValues(event.target.checked)} /> first blocks of values, too</label>
          <button disabled=${isRunning}>Verify</button>
          ${isRunning && html`<button type="button" onClick=${() => running.current.abort()}>Stop</button>`}
        </form>`}
    ${error && html`<${Problem} error=${error} />`}
    ${done &&
    html`<div role="status" class=${done.problems.length > 0 ? "problem broken" : isRunning || done.isStopped ? "note" : "note good"}>
      <p>
        ${isRunning ? `${count(done.due, "block")} to go. ` : done.isStopped ? "Stopped. " : done.problems.length === 0 ? "All blocks are those of their CIDs. " : `${count(done.problems.length, "block")} missing or corrupt. `}
        ${count(done.shards, "shard")}${done.values > 0 ? ` and ${count(done.values, "block")} of values` : ""}, ${bytes(done.bytes)}.
        ${done.unchecked > 0 && ` ${count(done.unchecked, "block")} not compared: this browser lacks the hash function.`}
      </p>
    </div>
    ${done.problems.length > 0 &&
    html`<ul class="rows">
      ${done.problems.slice(0, 200).map((problem) => html`<li class="broken">
        <strong class="bad">${problem.isShard ? "shard" : "value"}</strong>
        <span class="grow"><${Text} of=${problem.prefix} empty=${problem.isShard ? "root" : "(empty key)"} /><br /><span class="quiet"><${Text} of=${problem.message} most=${300} /></span></span>
        <span class="end"><${Cid} of=${problem.cid} href=${link(["node", problem.cid])} name="block" /></span>
      </li>`)}
    </ul>`}`}
  </section>`;
}
