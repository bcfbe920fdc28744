import { useContext, useState } from "preact/hooks";
import { Failure, ask, send } from "../api.js";
import { html } from "../dom.js";
import { useList, useLoad } from "../load.js";
import { Confirm, Loaded, More, Problem, Shared, Title, VersionForm, nameOf, useField, useMayWrite, useTick } from "../parts.js";
import { go, link } from "../route.js";
import { Lines, Text, count, plain } from "../text.js";

const MOST_COLUMNS = 30;

export function TablesView({ at }) {
  const load = useLoad((signal) => ask("/v1/tables", { at }, { signal }), [at, "tables"], useTick(at));
  return html`<${Title} name=${`Tables of ${nameOf(at)}`}>Tables of <${Text} of=${nameOf(at)} /><//>
    <${VersionForm} at=${at} view="tables" />
    <${Loaded} load=${load} what="tables">
      ${({ tables }) => html`<ul class="cards">
          ${tables.map((table) => html`<li class="card" key=${table.name}>
            <h2><a href=${link(["table", at, table.name])}><${Text} of=${table.name} /></a></h2>
            <p class="quiet">${table.indexes.length === 0 ? "no indexes" : html`indexes: ${table.indexes.map((field) => html`<code><${Text} of=${field} /></code> `)}`}</p>
          </li>`)}
        </ul>
        ${tables.length === 0 && html`<p>This version has no tables. <code>pail table create NAME</code> makes one.</p>`}`}
    <//>`;
}

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value) && !JSON.isRawJSON?.(value);

/** The first fields of documents, `id` before others. */
function columns(rows) {
  const names = new Set(["id"]);
  for (const { document } of rows) if (isObject(document)) Object.keys(document).forEach((name) => names.size < MOST_COLUMNS && names.add(name));
  return [...names];
}

const isNumber = (value) => typeof value === "number" || JSON.isRawJSON?.(value);

const shown = (value) => (typeof value === "string" ? value : JSON.stringify(value));

export function TableView({ at, name, where }) {
  const list = useList(`/v1/table/${encodeURIComponent(name)}`, { at, where, limit: 100 }, "rows", (first) => ({ at: first.root }), useTick(at));
  const [text, setText] = useField(where);
  const [opened, setOpened] = useState();
  // Without the text of numbers, an edit would write them rounded.
  const mayWrite = useMayWrite(at) && JSON.rawJSON !== undefined;
  const filter = (event) => {
    event.preventDefault();
    go(link(["table", at, name], { where: text.trim() }));
  };
  return html`<${Title} name=${`Table ${plain(name)} of ${nameOf(at)}`}>Table <${Text} of=${name} /><//>
    <div class="bar">
      <${VersionForm} at=${at} to=${(next) => link(["table", next, name], { where })} />
      <form class="search" role="search" aria-label="Filter rows" onSubmit=${filter}>
        <label>Filter<input value=${text} placeholder=${'age > 30 and city = "Oslo"'} onInput=${(event) => setText(event.target.value)} autocomplete="off" spellcheck=${false} /></label>
        <button>Filter</button>
        ${where && html`<a href=${link(["table", at, name])}>Clear</a>`}
      </form>
    </div>
    <p><a href=${link(["tables", at])}>All tables</a></p>
    <${Loaded} load=${list} what="rows">
      ${(first) => {
        const fields = columns(list.items);
        return html`
          ${where && html`<p class="quiet">${first.index === undefined ? "No index helps: every row is read." : html`Uses the index of <code><${Text} of=${first.index} /></code>.`}</p>`}
          <div class="scroll" tabindex="0" role="region" aria-label="Rows">
            <table class="grid">
              <caption class="hidden">Rows of ${plain(name)}</caption>
              <thead>
                <tr>${fields.map((field) => html`<th scope="col" class=${list.items.some((row) => isNumber(row.document?.[field])) ? "number" : ""}><${Text} of=${field} most=${60} /></th>`)}</tr>
              </thead>
              <tbody>
                ${list.items.map((row) => html`
                  <tr key=${row.id}>
                    ${fields.map((field) => field === "id"
                      ? html`<th scope="row"><button class="plain" aria-expanded=${opened === row.id} onClick=${() => setOpened(opened === row.id ? undefined : row.id)}><${Text} of=${row.id} most=${60} /></button></th>`
                      : html`<td class=${isNumber(row.document?.[field]) ? "number" : ""}>${isObject(row.document) && Object.hasOwn(row.document, field) && html`<${Text} of=${shown(row.document[field])} most=${80} empty=${'""'} />`}</td>`)}
                  </tr>
                  ${opened === row.id && html`<tr class="document" key=${"+" + row.id}><td colspan=${fields.length}>${mayWrite ? html`<${EditRow} at=${at} table=${name} row=${row} root=${first.root} key=${first.root} />` : html`<${Lines} of=${JSON.stringify(row.document, null, 2)} label="Document" />`}</td></tr>`}`)}
              </tbody>
            </table>
          </div>
          ${list.items.length === 0 && html`<p>${list.hasMore ? "No row so far passes the filter." : where ? "No row passes the filter." : "The table is empty."}</p>`}
          <p class="quiet">${count(list.items.length, "row")}${list.hasMore ? " so far" : ""}</p>
          <${More} list=${list} what="rows" />
        `;
      }}
    <//>`;
}

/** The document of a row, to be changed in place. */
function EditRow({ at, table, row, root }) {
  const { say } = useContext(Shared);
  const [text, setText] = useState(JSON.stringify(row.document, null, 2));
  const [state, setState] = useState({});
  const id = "document-" + at;
  // The write must not overwrite what this page has not shown, so it names the generation of the version that it shows.
  const change = async (options, done) => {
    const branch = await ask(`/v1/branches/${encodeURIComponent(at)}`);
    if (branch.root !== root) throw new Failure("The branch has moved since this page showed the row. Look at the new version first.", "ref-moved", 412);
    const headers = { "If-Match": `"${branch.generation}"` };
    const answer = await send(`/v1/table/${encodeURIComponent(table)}`, { branch: at, id: row.id }, { headers, ...options });
    return `${done}: ${plain(at)} is at generation ${(await answer.json()).generation}`;
  };
  const put = async (event) => {
    event.preventDefault();
    setState({ isRunning: true });
    try {
      say(await change({ method: "PUT", body: new Blob([text], { type: "application/json" }) }, "Written"));
      setState({});
    } catch (error) {
      setState({ error });
    }
  };
  return html`<form onSubmit=${put}>
      <label for=${id}>Document of <${Text} of=${row.id} /></label>
      <textarea id=${id} rows=${Math.min(20, text.split("\n").length + 1)} value=${text} onInput=${(event) => setText(event.target.value)} spellcheck=${false}></textarea>
      <p class="links">
        <button disabled=${state.isRunning}>Put</button>
        <${Confirm} action="Delete" question="Delete this row from the branch?" run=${() => change({ method: "DELETE" }, "Deleted")} />
      </p>
    </form>
    ${state.error && html`<${Problem} error=${state.error} />`}`;
}
