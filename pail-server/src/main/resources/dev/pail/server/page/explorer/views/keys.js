import { useState, useEffect } from "preact/hooks";
import { html } from "../dom.js";
import { useList } from "../load.js";
import { Loaded, More, Title, VersionForm, nameOf, useField, useMayWrite, useTick } from "../parts.js";
import { go, link } from "../route.js";
import { Cid, Text, bytes, count, plain } from "../text.js";

/** The way to a prefix, folder by folder. */
export function Crumbs({ at, prefix, last }) {
  const parts = prefix.split(/(?<=\/)/).filter((part) => part !== "");
  return html`<nav class="crumbs" aria-label="Folders">
    <ol>
      <li><a href=${link(["keys", at])}><${Text} of=${nameOf(at)} /></a></li>
      ${parts.map((part, i) => html`<li><a href=${link(["keys", at], { prefix: parts.slice(0, i + 1).join("") })}><${Text} of=${part} most=${40} /></a></li>`)}
      ${last !== undefined && html`<li aria-current="page"><${Text} of=${last} most=${40} empty="(empty key)" /></li>`}
    </ol>
  </nav>`;
}

export function KeysView({ at, prefix = "", contains = "", from = "", before = "", flat = "" }) {
  const isSearch = contains !== "";
  const isRange = from !== "" || before !== "";
  const delimiter = isSearch || isRange || flat ? "" : "/";
  const parameters = { at, prefix, contains, from, before, delimiter, sizes: "true", limit: 100 };
  const list = useList("/v1/keys", parameters, "entries", (first) => ({ at: first.root, from: undefined }), useTick(at));
  const here = delimiter ? prefix.slice(0, prefix.lastIndexOf("/") + 1) : "";
  const what = isSearch ? html`with <q><${Text} of=${contains} /></q>` : isRange ? "of a range" : prefix === "" ? "" : html`in <${Text} of=${prefix} most=${60} />`;
  return html`<${Title} name=${`Keys of ${nameOf(at)} ${plain(prefix)}`}>Keys ${what}<//>
    <div class="bar">
      <${VersionForm} at=${at} view="keys" to=${(next) => link(["keys", next], { prefix, contains, from, before, flat })} />
      <${Search} at=${at} prefix=${prefix} contains=${contains} from=${from} before=${before} flat=${flat} />
    </div>
    <${Crumbs} at=${at} prefix=${here} />
    <${Loaded} load=${list} what="keys">
      ${() => html`
        <table class="keys">
          <caption class="hidden">Keys and folders</caption>
          <thead>
            <tr><th scope="col">Key</th><th scope="col" class="number">Size</th><th scope="col">Value</th></tr>
          </thead>
          <tbody>
            ${list.items.map((entry) => html`<${Row} at=${at} entry=${entry} here=${here} key=${entry.prefix ?? "=" + entry.key} />`)}
          </tbody>
        </table>
        ${list.items.length === 0 && !list.hasMore && html`<p>No keys${isSearch || isRange || prefix ? " like this" : " in this version"}.</p>`}
        ${list.items.length === 0 && list.hasMore && html`<p>None among the keys that were looked at so far.</p>`}
        <p class="quiet">
          ${count(list.items.length, "entry", "entries")}${list.hasMore ? ", and more" : ""} · root <${Cid} of=${list.data.root} /> ·${" "}
          <a href=${link(["shards", at])}>shards</a>
        </p>
        <${More} list=${list} what="keys" />
        <${NewKey} at=${at} prefix=${here} />
      `}
    <//>`;
}

function Row({ at, entry, here }) {
  if (entry.prefix !== undefined) {
    return html`<tr>
      <td class="name folder"><a href=${link(["keys", at], { prefix: entry.prefix })}><${Text} of=${entry.prefix.slice(here.length)} /></a></td>
      <td class="number quiet">folder</td>
      <td></td>
    </tr>`;
  }
  const shown = entry.key.slice(here.length);
  return html`<tr class=${entry.missing ? "broken" : ""}>
    <td class="name"><a href=${link(["value", at], { key: entry.key })}><${Text} of=${shown} empty=${entry.key === "" ? "(empty key)" : "(key of this folder)"} /></a></td>
    <td class="number">${entry.missing ? html`<strong class="bad">missing or corrupt</strong>` : entry.size === undefined ? "" : bytes(entry.size)}</td>
    <td><${Cid} of=${entry.value} href=${link(["node", entry.value])} name="value" /></td>
  </tr>`;
}

function Search({ at, prefix, contains, from, before, flat }) {
  const given = { prefix, contains, from, before };
  const [fields, setFields] = useState(given);
  useEffect(() => setFields(given), [prefix, contains, from, before]);
  const field = (name, label) => html`<label
    >${label}<input value=${fields[name]} onInput=${(event) => setFields({ ...fields, [name]: event.target.value })} autocomplete="off" spellcheck=${false}
  /></label>`;
  const search = (event) => {
    event.preventDefault();
    go(link(["keys", at], { ...fields, flat }));
  };
  return html`<form class="search" role="search" aria-label="Search keys" onSubmit=${search}>
    ${field("prefix", "Begins with")} ${field("contains", "Contains")}
    <details open=${from !== "" || before !== ""}>
      <summary>Range</summary>
      ${field("from", "From")} ${field("before", "Before")}
    </details>
    <button>Search</button>
    ${(contains || from || before || prefix) && html`<a href=${link(["keys", at])}>Clear</a>`}
  </form>`;
}

/** Goes to the view of a key that may not be there yet. */
function NewKey({ at, prefix }) {
  const [key, setKey] = useField(prefix);
  if (!useMayWrite(at)) return null;
  const open = (event) => {
    event.preventDefault();
    go(link(["value", at], { key }));
  };
  return html`<form class="version" onSubmit=${open} aria-label="New key">
    <label for="new-key">New key</label>
    <input id="new-key" value=${key} onInput=${(event) => setKey(event.target.value)} autocomplete="off" spellcheck=${false} />
    <button>Write</button>
  </form>`;
}
