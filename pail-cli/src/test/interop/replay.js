// replay.js: answers each request for a change or a read with a line. A request names its root, so the caller can
// continue from any version.
import { CID } from 'multiformats/cid'
import { read, write } from './lines.js'
import { entries, pails } from './pails.js'

const blocks = new Map()
const fetcher = {
  // A copy each time: the library caches decoded shards by the array, with the prefix of the first use (D06).
  get: async cid => {
    const bytes = blocks.get(cid.toString())
    return bytes && { cid, bytes: bytes.slice() }
  }
}

const operations = {
  async create (pail, { configuration }) {
    blocks.clear()
    const shard = await pail.empty(configuration)
    return keep({ root: shard.cid, additions: [shard] })
  },

  async put (pail, { root, key, value }) {
    return keep(await pail.put(fetcher, CID.parse(root), key, CID.parse(value)))
  },

  async del (pail, { root, key }) {
    return keep(await pail.del(fetcher, CID.parse(root), key))
  },

  async batch (pail, { root, ops }) {
    const batch = await pail.batch(fetcher, CID.parse(root))
    // One after the other: puts that are not awaited are lost (D23).
    for (const { key, value } of ops) await batch.put(key, CID.parse(value))
    return keep(await batch.commit())
  },

  async look (pail, { root }) {
    return { entries: await entries(pail, fetcher, CID.parse(root)), largest: await largest(pail, CID.parse(root)) }
  }
}

/** Keeps what is new. What a change calls removals stays, too: the new root may need it (D04, D05). */
function keep ({ root, additions }) {
  for (const { cid, bytes } of additions) blocks.set(cid.toString(), bytes)
  return { root: root.toString() }
}

/** The size of the largest shard. */
async function largest (pail, cid) {
  const { bytes } = await fetcher.get(cid)
  const { value } = await pail.decode(bytes)
  let size = bytes.length
  for (const [, entry] of value.entries) {
    if (Array.isArray(entry)) size = Math.max(size, await largest(pail, entry[0]))
  }
  return size
}

async function answer (request) {
  try {
    return await operations[request.op](pails[request.format], request)
  } catch (error) {
    return { error: error.message }
  }
}

for await (const request of read(process.stdin)) write(await answer(request))
