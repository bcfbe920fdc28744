import { useContext, useEffect, useState } from "preact/hooks";
import { Failure, ask, beginning, save, write } from "../api.js";
import { cidParts, dagJson, decode } from "../cbor.js";
import { html } from "../dom.js";
import { useList, useLoad } from "../load.js";
import { Confirm, Loaded, Loading, More, Problem, Shared, Title, VersionForm, nameOf, useMayWrite, useTick } from "../parts.js";
import { address, link } from "../route.js";
import { Cid, Lines, Text, bytes, count, indented, plain } from "../text.js";
import { Crumbs } from "./keys.js";
import { KeyHistory } from "./history.js";

const MOST_TEXT = 1 << 20;
const MOST_IMAGE = 32 << 20;
const MOST_HEX = 512;

/** The value of a key. */
export function ValueView({ at, name }) {
  const load = useLoad((signal) => ask("/v1/value", { at, key: name }, { signal }).catch(absent), [at, name], useTick(at));
  const mayWrite = useMayWrite(at);
  const slash = name.lastIndexOf("/") + 1;
  const last = name.slice(slash);
  return html`<${Title} name=${`${plain(last || name)} in ${nameOf(at)}`}><${Text} of=${name} empty="(empty key)" /><//>
    <${VersionForm} at=${at} view="value" to=${(next) => link(["value", next], { key: name })} />
    <${Crumbs} at=${at} prefix=${name.slice(0, slash)} last=${last} />
    <${Loaded} load=${load} what="value">
      ${(data) => html`
        ${data.isAbsent
          ? html`<p class="note">This version has no such key.</p>`
          : html`<${Node} cid=${data.value} title="Value" file=${fileName(last)} />`}
        <p class="links">
          <${Save} path="/v1/proof" parameters=${{ at, key: name }} file="proof.car">Download proof<//>
          <a href=${link(["shards", at], { key: name })}>Its shards</a>
        </p>
        ${mayWrite && html`<${Edit} at=${at} name=${name} old=${data.value} key=${at + "\0" + name} />`}
        ${data.root !== at && html`<${KeyHistory} at=${at} name=${name} value=${data.value} />`}
      `}
    <//>`;
}

const absent = (error) => {
  if (error.code === "absent") return { isAbsent: true };
  throw error;
};

/** A name that no file system refuses. */
const fileName = (text) => plain(text).replace(/[^\p{L}\p{N}._ -]/gu, "_").slice(0, 100) || "value.bin";

/** Any block, by its CID. */
export function NodeView({ cid }) {
  return html`<${Title} name=${`…${cid.slice(-8)}`}>Block <code class="whole">${plain(cid)}</code><//>
    <${Node} cid=${cid} title="Content" file=${cid.slice(-12) + ".bin"} />`;
}

/** What a CID leads to, by its kind. */
function Node({ cid, title, file }) {
  const list = useList("/v1/node", { cid, limit: 100 }, "entries", () => ({}));
  return html`<section aria-label=${title}>
    <${Loaded} load=${list} what="block">
      ${(node) => html`<p class="facts">
          <span class="kind">${KINDS[node.kind] ?? node.kind}</span>
          ${node.size !== undefined && html`<span>${bytes(node.size)}</span>`}
          ${node.format !== undefined && html`<span>format ${String(node.format)}</span>`}
          <code class="whole">${cid}</code>
        </p>
        ${node.kind === "folder" && html`<${Folder} list=${list} />`}
        ${node.kind === "pail" && html`<p><a class="button" href=${link(["keys", cid])}>Open this pail</a></p>`}
        ${node.kind === "event" && html`<p><a class="button" href=${link(["history", cid])}>Show the history of this event</a></p>`}
        ${node.kind === "link" && html`<p>Leads to <${Text} of=${node.target ?? ""} most=${1000} /></p>`}
        ${!["folder", "link"].includes(node.kind) &&
        html`<${Preview} cid=${cid} node=${node} />
          <p><${Save} path="/v1/node" parameters=${{ cid, format: "raw" }} file=${file}>Download<//></p>`}`}
    <//>
  </section>`;
}

const KINDS = { file: "file", folder: "folder", link: "symbolic link", pail: "another pail", event: "event of a history", data: "data", identity: "bytes within the CID" };

function Folder({ list }) {
  return html`<table class="keys">
      <caption class="hidden">Files of the folder</caption>
      <thead><tr><th scope="col">Name</th><th scope="col">Content</th></tr></thead>
      <tbody>
        ${list.items.map((entry) => html`<tr key=${entry.name}>
          <td class="name"><a href=${link(["node", entry.cid])}><${Text} of=${entry.name} /></a></td>
          <td><${Cid} of=${entry.cid} /></td>
        </tr>`)}
      </tbody>
    </table>
    ${list.items.length === 0 && html`<p>The folder is empty.</p>`}
    <${More} list=${list} what="files" />`;
}

/** Downloads through a link where that is enough, and by a request with the token where it is not. */
function Save({ path, parameters, file, children }) {
  const { token } = useContext(Shared);
  const [error, setError] = useState();
  if (token === "") return html`<a class="button" href=${address(path, parameters)} download=${file}>${children}</a>`;
  const run = () => save(path, parameters, file).then(() => setError(undefined), setError);
  return html`<button onClick=${run}>${children}</button>${error && html`<${Problem} error=${error} retry=${run} />`}`;
}

const starts = (bytes, ...codes) => codes.every((code, i) => code === null || bytes[i] === code);

/** The type of an image that every browser shows without running anything. */
function imageType(all) {
  if (starts(all, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return "image/png";
  if (starts(all, 0xff, 0xd8, 0xff)) return "image/jpeg";
  if (starts(all, 0x47, 0x49, 0x46, 0x38)) return "image/gif";
  if (starts(all, 0x52, 0x49, 0x46, 0x46, null, null, null, null, 0x57, 0x45, 0x42, 0x50)) return "image/webp";
  return undefined;
}

const DAG_CBOR = 0x71;

/**
 * The beginning of the bytes of a block, as text, image, JSON or bytes.
 *
 * @param name tells it from others of the page, for a reader who hears the page
 */
export function Preview({ cid, node, name }) {
  const load = useLoad(async (signal) => {
    const start = await beginning("/v1/node", { cid, format: "raw" }, MOST_TEXT, signal);
    const type = imageType(start.bytes);
    if (type !== undefined && start.isMore && node.size <= MOST_IMAGE) {
      return { ...(await beginning("/v1/node", { cid, format: "raw" }, MOST_IMAGE, signal)), type };
    }
    return { ...start, type };
  }, ["preview", cid]);
  return html`<${Loaded} load=${load} what="content">
    ${(data) => html`<${Shown} data=${data} cid=${cid} name=${name} />
      ${data.isMore && html`<p class="quiet">Only the beginning is shown: ${bytes(data.bytes.length)}${node.size === undefined ? "" : ` of ${bytes(node.size)}`}.</p>`}`}
  <//>`;
}

function Shown({ data, cid, name }) {
  const label = (what) => (name === undefined ? what : `${what} of ${name}`);
  const { bytes: all, type, isMore } = data;
  if (all.length === 0) return html`<p class="quiet">No bytes.</p>`;
  if (type !== undefined && !isMore) return html`<${Image} bytes=${all} type=${type} />`;
  if (cidParts(cid)?.codec === DAG_CBOR && !isMore) {
    try {
      return html`<${Lines} of=${dagJson(decode(all))} label=${label("Data")} />`;
    } catch {
      // No dag-cbor: shown as bytes.
    }
  }
  let text;
  try {
    // The last character may be cut.
    text = new TextDecoder("utf-8", { fatal: true }).decode(all, { stream: isMore });
  } catch {
    return html`<${Hex} bytes=${all} label=${label("Bytes")} />`;
  }
  if (/[\0-\x08\x0e-\x1a]/.test(text.slice(0, 4096)) && !/^[\s\S]{0,4096}[A-Za-z]{3}/.test(text)) return html`<${Hex} bytes=${all} label=${label("Bytes")} />`;
  try {
    if (!isMore && /^\s*[[{"]/.test(text)) {
      JSON.parse(text);
      return html`<${Lines} of=${indented(text)} label=${label("JSON")} />`;
    }
  } catch {
    // No JSON: shown as text.
  }
  return html`<${Lines} of=${text} label=${label("Text")} />`;
}

function Image({ bytes: all, type }) {
  const [url, setUrl] = useState();
  const [size, setSize] = useState();
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([all], { type }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [all, type]);
  if (size === "none") return html`<p class="note">The bytes begin as those of an image, but the browser cannot show it.</p><${Hex} bytes=${all} />`;
  return html`<figure>
    ${url && html`<img src=${url} alt="The value as an image" onLoad=${(event) => setSize(event.target)} onError=${() => setSize("none")} />`}
    <figcaption class="quiet">${type}${size ? `, ${size.naturalWidth} × ${size.naturalHeight} pixels` : ""}</figcaption>
  </figure>`;
}

function Hex({ bytes: all, label = "Bytes" }) {
  const lines = [];
  for (let at = 0; at < Math.min(all.length, MOST_HEX); at += 16) {
    const row = [...all.subarray(at, at + 16)];
    const codes = row.map((each) => each.toString(16).padStart(2, "0")).join(" ").padEnd(47);
    lines.push(`${at.toString(16).padStart(8, "0")}  ${codes}  ${row.map((each) => (each >= 32 && each < 127 ? String.fromCharCode(each) : ".")).join("")}`);
  }
  return html`<${Lines} of=${lines.join("\n")} label=${label} />
    ${all.length > MOST_HEX && html`<p class="quiet">The first ${count(MOST_HEX, "byte")}.</p>`}`;
}

/** Writes and deletes a key. */
function Edit({ at, name, old }) {
  const { say } = useContext(Shared);
  const [text, setText] = useState("");
  const [state, setState] = useState({});
  // The write must not overwrite a value that this page has not shown, so it names the generation that it has read.
  const headers = async () => {
    const branch = await ask(`/v1/branches/${encodeURIComponent(at)}`);
    const now = await ask("/v1/value", { at: branch.root, key: name }).catch(absent);
    if (now.value !== old) throw new Failure("The value has changed since this page showed it. Look at the new one first.", "ref-moved", 412);
    return { "If-Match": `"${branch.generation}"` };
  };
  const put = async (event) => {
    event.preventDefault();
    setState({ isRunning: true });
    try {
      const generation = await write(at, name, { method: "PUT", body: new Blob([text], { type: "application/octet-stream" }), headers: await headers() });
      say(`Written: ${plain(at)} is at generation ${generation}`);
      setText("");
      setState({});
    } catch (error) {
      setState({ error });
    }
  };
  const remove = async () => {
    const generation = await write(at, name, { method: "DELETE", headers: await headers() });
    return `Deleted: ${plain(at)} is at generation ${generation}`;
  };
  return html`<section aria-labelledby="edit">
    <h2 id="edit">Change</h2>
    <form onSubmit=${put}>
      <label for="new-value">New value, as text</label>
      <textarea id="new-value" rows="4" value=${text} onInput=${(event) => setText(event.target.value)}></textarea>
      <p class="links">
        <button disabled=${state.isRunning}>Put</button>
        ${old !== undefined && html`<${Confirm} action="Delete" question="Delete this key from the branch?" run=${remove} />`}
      </p>
    </form>
    ${state.isRunning && html`<${Loading} what="answer" />`} ${state.error && html`<${Problem} error=${state.error} />`}
  </section>`;
}
