import { address } from "./route.js";

/** An answer that is an error, or none at all. */
export class Failure extends Error {
  constructor(message, code, status) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

const TOKEN = "pail.token";

/** The token of this tab: it is forgotten with the tab. */
export const token = () => sessionStorage.getItem(TOKEN) ?? "";

export function setToken(text) {
  if (text) sessionStorage.setItem(TOKEN, text);
  else sessionStorage.removeItem(TOKEN);
}

/** Sends a request. Anything but an answer that says yes is a Failure. */
export async function send(path, parameters, { headers = {}, ...options } = {}) {
  const authorization = token() ? { Authorization: "Bearer " + token() } : {};
  let response;
  try {
    response = await fetch(address(path, parameters), {
      ...options,
      headers: { Accept: "application/json", ...headers, ...authorization },
      credentials: "omit",
      cache: "no-store",
      redirect: "error",
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Failure("The server does not answer.", "no-answer", 0);
  }
  if (response.ok) return response;
  let problem = {};
  try {
    problem = await response.json();
  } catch {
    // A proxy, perhaps, that answers with a page.
  }
  throw new Failure(problem.error ?? `The server answers with the status ${response.status}.`, problem.code ?? "", response.status);
}

// JavaScript rounds long numbers. Where the browser gives their text, they are shown as they are.
const exact = (_, value, context) =>
  typeof value === "number" && context?.source !== undefined && JSON.rawJSON && String(value) !== context.source
    ? JSON.rawJSON(context.source)
    : value;

/** Asks for JSON. */
export async function ask(path, parameters, options) {
  const response = await send(path, parameters, options);
  try {
    return JSON.parse(await response.text(), exact);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Failure("The answer of the server ends too early.", "no-answer", 0);
  }
}

/** The bytes of a block, as the server gives them. */
export async function blockBytes(cid, signal) {
  const response = await send(`/ipfs/${cid}`, { format: "raw" }, { signal, headers: { Accept: "application/vnd.ipld.raw" } });
  return new Uint8Array(await response.arrayBuffer());
}

/** Puts or deletes a key of a branch; gives the generation after that. */
export async function write(branch, key, options) {
  const answer = await send("/v1/value", { branch, key }, options);
  return (await answer.json()).generation;
}

/** Returns at most the first `most` bytes, and whether there are more. */
export async function beginning(path, parameters, most, signal) {
  const abort = new AbortController();
  signal?.addEventListener("abort", () => abort.abort());
  const response = await send(path, parameters, { signal: abort.signal, headers: { Accept: "application/octet-stream" } });
  const reader = response.body.getReader();
  const parts = [];
  let length = 0;
  while (length <= most) {
    let next;
    try {
      next = await reader.read();
    } catch (error) {
      if (error.name === "AbortError") throw error;
      throw new Failure("The answer of the server ends too early: a block of this value may be missing or corrupt.", "no-answer", 0);
    }
    if (next.done) break;
    parts.push(next.value);
    length += next.value.length;
  }
  if (length > most) abort.abort();
  const all = new Uint8Array(await new Blob(parts).arrayBuffer());
  return { bytes: all.subarray(0, most), isMore: length > most };
}

/** Saves an answer as a file. With a token, a link of the page alone could not send it. */
export async function save(path, parameters, name) {
  const response = await send(path, parameters, { headers: { Accept: "*/*" } });
  const url = URL.createObjectURL(new Blob([await response.arrayBuffer()], { type: "application/octet-stream" }));
  const anchor = document.createElement("a");
  anchor.href = url;
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** The updates of a branch, each once, until the signal aborts. The last one has an error if the branch was removed. */
export async function* updates(branch, from, signal) {
  const response = await send("/v1/watch", { branch, from }, { signal, headers: { Accept: "text/event-stream" } });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    text += value;
    const events = text.split("\n\n");
    text = events.pop();
    for (const event of events) {
      const data = event.split("\n").find((line) => line.startsWith("data: "));
      const id = event.split("\n").find((line) => line.startsWith("id: "));
      if (data) yield { name: branch, ...JSON.parse(data.slice(6)), id: id?.slice(4) };
    }
  }
}
