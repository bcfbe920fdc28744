import { Failure, blockBytes } from "./api.js";
import { Link, cidParts, decode } from "./cbor.js";

const HASHES = { 0x12: "SHA-256", 0x13: "SHA-512", 0x20: "SHA-384" };
const IDENTITY = 0;

/** Requests at once. */
const TOGETHER = 4;

/** Gets a block, and compares it with its CID in this browser. */
async function checked(cid, signal) {
  const parts = cidParts(cid);
  if (parts === undefined) return { unchecked: "a base of CIDs that this page does not read" };
  if (parts.hash === IDENTITY) return { bytes: parts.digest };
  const bytes = await blockBytes(cid, signal);
  const hash = HASHES[parts.hash];
  if (hash === undefined) return { bytes, unchecked: "a hash function that this browser does not have" };
  const digest = new Uint8Array(await crypto.subtle.digest(hash, bytes));
  if (digest.length < parts.digest.length || parts.digest.some((each, i) => each !== digest[i])) {
    throw new Failure("The bytes are not those of the CID.", "corrupt-block", 0);
  }
  return { bytes };
}

/** The shards that a shard links to, and its values (spec rule S5). */
function below(bytes) {
  const shards = [];
  const values = [];
  const entries = decode(bytes).get("entries");
  for (const [key, value] of entries) {
    if (value instanceof Link) values.push({ key, cid: String(value) });
    else {
      shards.push({ key, cid: String(value[0]) });
      if (value.length > 1) values.push({ key, cid: String(value[1]) });
    }
  }
  return { shards, values };
}

/**
 * Reads all shards of a version, and the blocks of its values if asked to, and hashes each of them.
 *
 * @param step called with the numbers so far
 */
export async function verify(root, withValues, step, signal) {
  const seen = new Set([root]);
  const due = [{ cid: root, prefix: "", isShard: true }];
  const done = { shards: 0, values: 0, bytes: 0, unchecked: 0, problems: [] };
  const add = (cid, prefix, isShard) => {
    if (!seen.has(cid)) {
      seen.add(cid);
      due.push({ cid, prefix, isShard });
    }
  };
  async function one({ cid, prefix, isShard }) {
    try {
      const { bytes, unchecked } = await checked(cid, signal);
      if (unchecked) done.unchecked++;
      done[isShard ? "shards" : "values"]++;
      done.bytes += bytes?.length ?? 0;
      if (isShard) {
        let next;
        try {
          next = below(bytes);
        } catch {
          throw new Failure("The bytes are those of the CID, but no shard.", "malformed-shard", 0);
        }
        next.shards.forEach((each) => add(each.cid, prefix + each.key, true));
        if (withValues) next.values.forEach((each) => add(each.cid, prefix + each.key, false));
      }
    } catch (error) {
      if (signal.aborted) return;
      // Without a server, every block would be a problem.
      if (error.code === "no-answer" || error.status === 401 || error.status === 503) throw error;
      done.problems.push({ cid, prefix, isShard, message: error.message, code: error.code });
    }
  }
  while (due.length > 0 && !signal.aborted) {
    // The newest first: few are due at once.
    await Promise.all(due.splice(-TOGETHER).map(one));
    step({ ...done, due: due.length });
  }
  return { ...done, due: 0, isStopped: signal.aborted };
}
