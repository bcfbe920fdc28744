import { createContext } from "preact";
import { useContext, useEffect, useRef, useState } from "preact/hooks";
import { html } from "./dom.js";
import { go, link } from "./route.js";
import { Text, plain } from "./text.js";

/** What all views share: `refs` (branches and tags, when they are read), `refsLoad`, `ticks` (a number for each branch that grows with its updates), `token`. */
export const Shared = createContext({});

// A branch may have the name of what all objects have.
export const tickOf = (ticks, at) => (Object.hasOwn(ticks, at) ? ticks[at] : 0);

/** A number that grows whenever the version moves; versions that are no branches do not. */
export const useTick = (at) => tickOf(useContext(Shared).ticks, at);

const useIsBranch = (at) => (useContext(Shared).refs?.branches ?? []).some((branch) => branch.name === at);

/** Changes are offered to a reader with a token, of a branch. */
export const useMayWrite = (at) => useIsBranch(at) && useContext(Shared).token !== "";

export function Title({ children, name }) {
  const heading = useRef();
  useEffect(() => {
    document.title = `${name} · Pail`;
  }, [name]);
  return html`<h1 ref=${heading} tabindex="-1">${children}</h1>`;
}

export const Loading = ({ what }) => html`<p class="loading" role="status"><span class="dots" aria-hidden="true"></span>Loading ${what} …</p>`;

const HINTS = {
  "missing-block": "The block is not in this repository. A fetch, or an import of a CAR that has it, brings it back.",
  "corrupt-block": "The bytes of the block are not those of its CID. pail verify names all such blocks.",
  "malformed-shard": "The bytes of the block are those of its CID, but no shard. pail verify names all such blocks.",
};

export function Problem({ error, retry }) {
  const { askForToken } = useContext(Shared);
  const isAsked = error.status === 401 || error.status === 403;
  const isBroken = ["missing-block", "corrupt-block", "malformed-shard"].includes(error.code);
  return html`<div class=${isBroken ? "problem broken" : "problem"} role="alert">
    <p>${error.status === 401 ? "This server answers only with a token." : html`<${Sentence} of=${error.message} />`}</p>
    ${HINTS[error.code] && html`<p class="quiet">${HINTS[error.code]}</p>`}
    <p>
      ${isAsked && html`<button onClick=${askForToken}>Enter a token</button> `}
      ${retry && html`<button onClick=${retry}>Retry</button>`}
    </p>
  </div>`;
}

/** A sentence of the server, which may have keys and names in it. */
const Sentence = ({ of }) => {
  const text = typeof of === "string" && of !== "" ? of[0].toUpperCase() + of.slice(1) : "Something went wrong";
  return html`<${Text} of=${/[.!?]$/.test(text) ? text : text + "."} most=${2000} />`;
};

/** What a load gives: its data in `children`, its error, or that it works. */
export function Loaded({ load, what, children }) {
  return html`<div aria-busy=${!load.data && !load.error}>
    ${load.error && html`<${Problem} error=${load.error} retry=${load.retry} />`}
    ${load.data && children(load.data)}
    ${!load.data && !load.error && html`<${Loading} what=${what} />`}
  </div>`;
}

/** What is below a list in pages. */
export function More({ list, what }) {
  return html`${list.moreError && html`<${Problem} error=${list.moreError} retry=${list.next} />`}
    ${list.isOld && html`<p class="note" role="status">The branch has moved. <button onClick=${list.renew}>Show its newest version</button></p>`}
    ${list.hasMore &&
    !list.moreError &&
    html`<p><button onClick=${() => list.isLoadingMore || list.next()} aria-disabled=${list.isLoadingMore ? "true" : undefined}>${list.isLoadingMore ? "Loading …" : `More ${what}`}</button></p>`}`;
}

/** Text that a reader edits, and that a new given text replaces. */
export function useField(given) {
  const [text, setText] = useState(given);
  useEffect(() => setText(given), [given]);
  return [text, setText];
}

/** Chooses the version of a view. */
export function VersionForm({ at, view, label = "Version", to }) {
  const { refs } = useContext(Shared);
  const [text, setText] = useField(at);
  const id = "version-" + label.toLowerCase();
  const choose = (event) => {
    event.preventDefault();
    const next = text.trim();
    if (next) go(to ? to(next) : link([view, next]));
  };
  return html`<form class="version" onSubmit=${choose} role="search" aria-label=${label}>
    <label for=${id}>${label}</label>
    <input id=${id} value=${text} list=${id + "-list"} onInput=${(event) => setText(event.target.value)} autocomplete="off" spellcheck=${false} />
    <datalist id=${id + "-list"}>
      ${(refs?.branches ?? []).map((branch) => html`<option value=${branch.name}>branch</option>`)}
      ${(refs?.tags ?? []).map((tag) => html`<option value=${tag.name}>tag</option>`)}
    </datalist>
    <button>Show</button>
  </form>`;
}

/** A value that a person enters before a change is made. */
export function Confirm({ action, question, run }) {
  const [state, setState] = useState({});
  const { say } = useContext(Shared);
  const first = useRef();
  useEffect(() => {
    if (state.isAsked) first.current?.focus();
  }, [state.isAsked]);
  async function start() {
    setState({ isAsked: true, isRunning: true });
    try {
      say(await run());
      setState({});
    } catch (error) {
      setState({ error });
    }
  }
  if (state.error) return html`<${Problem} error=${state.error} /><button onClick=${() => setState({})}>${action}</button>`;
  return state.isAsked
    ? html`<span class="confirm" role="group" aria-label=${action}
        >${question} <button ref=${first} class="danger" onClick=${start} disabled=${state.isRunning}>Yes, ${action.toLowerCase()}</button>
        <button onClick=${() => setState({})}>Cancel</button></span
      >`
    : html`<button onClick=${() => setState({ isAsked: true })}>${action}</button>`;
}

export const nameOf = (at) => (at.length > 40 ? "…" + at.slice(-8) : plain(at));
