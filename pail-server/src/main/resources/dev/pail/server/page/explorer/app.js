import { render } from "preact";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { ask, setToken, token, updates } from "./api.js";
import { html } from "./dom.js";
import { useLoad } from "./load.js";
import { Shared, tickOf } from "./parts.js";
import { link, parse } from "./route.js";
import { Text, plain } from "./text.js";
import { BranchesView, LogView } from "./views/branches.js";
import { ConflictsView } from "./views/conflicts.js";
import { DiffView } from "./views/diff.js";
import { HistoryView } from "./views/history.js";
import { KeysView } from "./views/keys.js";
import { ShardsView } from "./views/shards.js";
import { StateView } from "./views/state.js";
import { TableView, TablesView } from "./views/tables.js";
import { NodeView, ValueView } from "./views/value.js";

const VIEWS = {
  "": () => html`<${BranchesView} />`,
  log: ([branch]) => html`<${LogView} branch=${branch} />`,
  conflicts: ([branch]) => html`<${ConflictsView} branch=${branch} />`,
  keys: ([at], p) => html`<${KeysView} ...${Object.fromEntries(p)} at=${at} />`,
  value: ([at], p) => html`<${ValueView} at=${at} name=${p.get("key") ?? ""} />`,
  node: ([cid]) => html`<${NodeView} cid=${cid} />`,
  history: ([at], p) => html`<${HistoryView} at=${at} name=${p.get("key")} all=${p.get("all")} />`,
  diff: (_, p) => html`<${DiffView} from=${p.get("from")} to=${p.get("to")} by=${p.get("by") ?? "keys"} prefix=${p.get("prefix") ?? ""} />`,
  shards: ([at], p) => html`<${ShardsView} at=${at} prefix=${p.get("prefix") ?? ""} name=${p.get("key")} />`,
  tables: ([at]) => html`<${TablesView} at=${at} />`,
  table: ([at, name], p) => html`<${TableView} at=${at} name=${name ?? ""} where=${p.get("where") ?? ""} />`,
  state: () => html`<${StateView} />`,
};

function useRoute() {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const change = () => setHash(location.hash);
    addEventListener("hashchange", change);
    return () => removeEventListener("hashchange", change);
  }, []);
  return hash;
}

/** Watches a branch while the page is seen, and connects again when the server ends the answer. */
function useWatch(branch, known, moved) {
  const [isLive, setLive] = useState();
  const seen = useRef({});
  useEffect(() => {
    if (branch === undefined) return;
    const abort = new AbortController();
    if (seen.current.branch !== branch) seen.current = { branch, from: known };
    const pause = (time) => new Promise((done) => {
      const timer = setTimeout(done, time);
      abort.signal.addEventListener("abort", () => (clearTimeout(timer), done()));
    });
    (async () => {
      // The server counts a watcher for some seconds after its page is closed: none for a page that is seen for a moment.
      await pause(1000);
      for (let wait = 1000; !abort.signal.aborted; wait = Math.min(2 * wait, 30_000)) {
        let isEnded = false;
        try {
          if (document.hidden) {
            await pause(1000);
            wait = 500;
            continue;
          }
          setLive(true);
          for await (const update of updates(branch, seen.current.from, abort.signal)) {
            wait = 500;
            if (update.id) seen.current.from = update.id;
            moved(update);
          }
          // The server ends each answer after a while.
          isEnded = true;
          wait = 250;
        } catch {
          // The pause below, then again.
        }
        if (!abort.signal.aborted && !isEnded) setLive(false);
        await pause(wait);
      }
    })();
    return () => abort.abort();
  }, [branch]);
  return isLive;
}

function TokenForm({ isOpen, close, changed }) {
  const field = useRef();
  useEffect(() => {
    if (isOpen) field.current.focus();
  }, [isOpen]);
  if (!isOpen) return null;
  const keep = (text) => {
    setToken(text);
    changed(text);
    close();
  };
  const submit = (event) => {
    event.preventDefault();
    keep(field.current.value.trim());
  };
  return html`<form class="token" aria-label="Token" onSubmit=${submit} onKeyDown=${(event) => event.key === "Escape" && close()}>
    <label for="token">Token</label>
    <input id="token" ref=${field} type="password" autocomplete="off" />
    <button>Use</button>
    ${token() && html`<button type="button" onClick=${() => keep("")}>Forget</button>`}
    <button type="button" onClick=${close}>Cancel</button>
    <p class="quiet">This tab keeps it until you close the tab. With a token that may write, you can change the pail here.</p>
  </form>`;
}

function App() {
  const hash = useRoute();
  const [isAsked, setAsked] = useState(false);
  const [given, setGiven] = useState(token());
  const [ticks, setTicks] = useState({});
  const [said, setSaid] = useState("");
  const main = useRef();
  const lastAt = useRef();
  const { segments, parameters } = parse(hash);
  const [view = "", ...rest] = segments;
  const total = Object.values(ticks).reduce((sum, tick) => sum + tick, 0);
  const refs = useLoad(
    async (signal) => {
      const [branches, tags] = await Promise.all([ask("/v1/branches", {}, { signal }), ask("/v1/tags", {}, { signal })]);
      return { branches: branches.branches, tags: tags.tags };
    },
    [given],
    total,
  );
  const branches = refs.data?.branches ?? [];
  const usual = branches.some((branch) => branch.name === "main") || branches.length === 0 ? "main" : branches[0].name;
  const named = view === "diff" ? parameters.get("to") : view === "node" || view === "state" || view === "" ? undefined : rest[0];
  if (named) lastAt.current = named;
  const at = lastAt.current ?? usual;
  const watched = branches.find((branch) => branch.name === at);
  const isLive = useWatch(watched?.name, watched?.generation, (update) => {
    setTicks((before) => ({ ...before, [update.name]: tickOf(before, update.name) + 1 }));
    const text = `${plain(update.name)} is now at generation ${update.generation}: ${plain(update.reason ?? "")}`;
    setSaid(update.error ? plain(update.error) : text);
  });
  useEffect(() => setSaid(""), [hash]);
  const isFirst = useRef(true);
  useEffect(() => {
    if (isFirst.current) isFirst.current = false;
    else main.current?.querySelector("h1")?.focus();
  }, [view, ...rest, parameters.get("key"), parameters.get("prefix")]);
  const askForToken = useCallback(() => setAsked(true), []);
  const links = [
    ["Branches", "", link([""])],
    ["Keys", "keys", link(["keys", at])],
    ["History", "history", link(["history", at])],
    ["Diff", "diff", link(["diff"], { from: watched ? at + "@{1}" : at, to: at })],
    ["Conflicts", "conflicts", link(["conflicts", at])],
    ["Shards", "shards", link(["shards", at])],
    ["Tables", "tables", link(["tables", at])],
    ["State", "state", link(["state"])],
  ];
  const current = { value: "keys", node: "keys", log: "", table: "tables" }[view] ?? view;
  const shared = { refs: refs.data, refsLoad: refs, ticks, token: given, askForToken, say: setSaid };
  const shown = Object.hasOwn(VIEWS, view) ? VIEWS[view] : undefined;
  return html`<${Shared.Provider} value=${shared}>
    <header>
      <a class="skip" href=${hash || "#/"} onClick=${(event) => (event.preventDefault(), main.current.querySelector("h1")?.focus())}>Skip to content</a>
      <a class="brand" href="#/"><img src="/explorer/icon.svg" alt="" width="24" height="24" />Pail</a>
      <nav aria-label="Views">
        <ul>
          ${links.map(([name, key, href]) => html`<li><a href=${href} aria-current=${current === key ? "page" : undefined}>${name}</a></li>`)}
        </ul>
      </nav>
      <div class="side">
        ${watched && isLive !== undefined && html`<span class=${isLive ? "live on" : "live"}>${isLive ? "live" : "not live"}</span>`}
        <button aria-expanded=${isAsked} onClick=${() => setAsked(!isAsked)}>${given ? "Token set" : "Token"}</button>
      </div>
    </header>
    <${TokenForm} isOpen=${isAsked} close=${() => setAsked(false)} changed=${setGiven} />
    <main ref=${main}>
      <div key=${given}>
        ${shown
          ? shown(rest.length === 0 || rest[0] === "" ? [at, ...rest.slice(1)] : rest, parameters)
          : html`<h1 tabindex="-1">No such page</h1>
              <p>There is no view <${Text} of=${view} />. <a href="#/">Show the branches</a>.</p>`}
      </div>
    </main>
    <p class="said" role="status" aria-live="polite">${said}</p>
  <//>`;
}

render(html`<${App} />`, document.getElementById("app"));
