// clock.js: reads a history of replicas a line, and writes the state that each of its steps leaves.
import { CID } from 'multiformats/cid'
import * as Clock from 'pail-v1/clock'
import * as CRDT from 'pail-v1/crdt'
import * as Batch from 'pail-v1/crdt/batch'
import { read, write } from './lines.js'

class Replicas {
  blocks = new Map()
  heads

  constructor (count) {
    this.heads = Array.from({ length: count }, () => [])
  }

  // A copy each time: the library caches decoded shards by the array, with the prefix of the first use (D06).
  async get (cid) {
    const bytes = this.blocks.get(cid.toString())
    return bytes && { cid, bytes: bytes.slice() }
  }

  /** Keeps what is new. What a change calls removals stays, too: a later merge may need it (D16b). */
  keep ({ additions, event }) {
    for (const { cid, bytes } of [...additions, ...(event ? [event] : [])]) this.blocks.set(cid.toString(), bytes)
  }

  async put (replica, { key, value }) {
    return await CRDT.put(this, this.heads[replica], key, CID.parse(value))
  }

  async batch (replica, { puts }) {
    const batch = await Batch.create(this, this.heads[replica])
    for (const { key, value } of puts) await batch.put(key, CID.parse(value))
    return await batch.commit()
  }

  /** A change that these packages cannot make, with all its blocks. */
  async adopt (replica, { blocks, event }) {
    for (const [cid, bytes] of Object.entries(blocks)) this.blocks.set(cid, new Uint8Array(Buffer.from(bytes, 'base64')))
    return { additions: [], head: await Clock.advance(this, this.heads[replica], CID.parse(event)) }
  }

  async step (step) {
    const { replica, op } = step
    if (op === 'merge') {
      for (const event of this.heads[step.from]) {
        this.heads[replica] = await Clock.advance(this, this.heads[replica], event)
      }
    } else {
      const result = await this[op](replica, step)
      this.keep(result)
      this.heads[replica] = result.head
    }
    const result = await CRDT.root(this, this.heads[replica])
    this.keep(result)
    return { head: this.heads[replica].map(String), root: result.root.toString() }
  }
}

for await (const { replicas, steps } of read(process.stdin)) {
  const clocks = new Replicas(replicas)
  const states = []
  let defect
  try {
    for (const step of steps) states.push(await clocks.step(step))
  } catch (error) {
    // A root whose blocks a change did not give out (D16a): the history ends there.
    if (!String(error.message).startsWith('missing block: ')) throw error
    defect = error.message
  }
  write({ states, defect })
}
