import { useEffect, useRef, useState } from "preact/hooks";
import { ask } from "./api.js";

/**
 * What a function gives for its inputs: data, an error, or neither while it works. If only the tick differs, the data before stay until
 * the next are there.
 */
export function useLoad(load, inputs, tick = 0) {
  const key = JSON.stringify(inputs);
  const [state, setState] = useState({ key });
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const abort = new AbortController();
    setState((before) => (before.key === key && before.data ? before : { key }));
    load(abort.signal).then(
      (data) => abort.signal.aborted || setState({ key, data }),
      (error) => abort.signal.aborted || setState((before) => ({ key, error, data: before.key === key ? before.data : undefined })),
    );
    return () => abort.abort();
  }, [key, tick, turn]);
  const retry = () => setTurn(turn + 1);
  return state.key === key ? { ...state, retry } : { key, retry };
}

/**
 * A list that the server gives in pages. A list with more than one page stays as it is while a branch moves, until `renew` is called.
 *
 * @param follow the parameters of the page behind: of the first page and of the last one
 */
export function useList(path, parameters, name, follow, tick = 0) {
  const [more, setMore] = useState({ pages: [] });
  const shownTick = useRef(tick);
  const isHeld = more.pages.length > 0 && more.key === JSON.stringify([path, parameters]);
  if (!isHeld) shownTick.current = tick;
  const first = useLoad((signal) => ask(path, parameters, { signal }), [path, parameters], shownTick.current);
  const rest = more.of === first.data ? more.pages : [];
  const pages = first.data ? [first.data, ...rest] : [];
  const last = pages[pages.length - 1];
  async function next() {
    const before = { of: first.data, key: first.key, pages: rest };
    setMore({ ...before, isLoading: true });
    try {
      const page = await ask(path, { ...parameters, ...follow(first.data, last), after: last.next });
      setMore({ ...before, pages: [...rest, page] });
    } catch (error) {
      setMore({ ...before, error });
    }
  }
  return {
    ...first,
    pages,
    items: pages.flatMap((page) => page[name]),
    hasMore: last?.next !== undefined,
    next,
    isLoadingMore: more.of === first.data && more.isLoading,
    moreError: more.of === first.data ? more.error : undefined,
    isOld: isHeld && shownTick.current !== tick,
    renew: () => setMore({ pages: [] }),
  };
}
