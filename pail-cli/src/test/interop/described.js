// described.js: a replica that answers each line with the state that its step leaves, and with the blocks that it made.
import { Buffer } from 'node:buffer'
import { CID } from 'multiformats/cid'
import * as Pail from 'pail-v1'
import * as Clock from 'pail-v1/clock'
import * as CRDT from 'pail-v1/crdt'
import * as Batch from 'pail-v1/crdt/batch'
import { read, write } from './lines.js'

class Replica {
  blocks = new Map()
  head = []

  // A copy each time: the library caches decoded shards by the array, with the prefix of the first use (D06).
  async get (cid) {
    const bytes = this.blocks.get(cid.toString())
    return bytes && { cid, bytes: bytes.slice() }
  }

  /** Keeps what is new. What a change calls removals stays, too: a later merge may need it (D16b). */
  keep (...blocks) {
    for (const { cid, bytes } of blocks) this.blocks.set(cid.toString(), bytes)
  }

  changed ({ additions, event, head }) {
    this.keep(...additions, ...(event ? [event] : []))
    this.head = head
  }

  async put ({ key, value }) {
    this.changed(await CRDT.put(this, this.head, key, CID.parse(value)))
  }

  async batch ({ puts }) {
    const batch = await Batch.create(this, this.head)
    for (const { key, value } of puts) await batch.put(key, CID.parse(value))
    this.changed(await batch.commit())
  }

  /** The package replays deletes, but no function of it makes the event of one. */
  async del ({ key }) {
    const before = await CRDT.root(this, this.head)
    this.keep(...before.additions)
    const { root, additions } = await Pail.del(this, before.root, key)
    const { cid, bytes } = await Clock.encodeEventBlock({ data: { type: 'del', root, key }, parents: this.head })
    this.keep({ cid, bytes })
    this.changed({ additions, head: await Clock.advance(this, this.head, cid) })
  }

  async take ({ blocks, events }) {
    for (const [cid, bytes] of Object.entries(blocks)) this.blocks.set(cid, new Uint8Array(Buffer.from(bytes, 'base64')))
    for (const event of events) this.head = await Clock.advance(this, this.head, CID.parse(event))
  }

  /** Decodes each event of the history and encodes it again. */
  async rewrite () {
    const written = {}
    const events = [...this.head]
    while (events.length > 0) {
      const cid = events.pop().toString()
      if (cid in written) continue
      const { value } = await Clock.decodeEventBlock(this.blocks.get(cid))
      const again = await Clock.encodeEventBlock(value)
      written[cid] = Buffer.from(again.bytes).toString('base64')
      events.push(...value.parents)
    }
    return written
  }

  async answer (step) {
    const before = new Set(this.blocks.keys())
    const result = await this[step.op](step)
    const { root, additions } = await CRDT.root(this, this.head)
    this.keep(...additions)
    const entries = {}
    for await (const [key, value] of Pail.entries(this, root)) entries[key] = value.toString()
    const made = {}
    for (const [cid, bytes] of this.blocks) if (!before.has(cid)) made[cid] = Buffer.from(bytes).toString('base64')
    return { head: this.head.map(String), root: root.toString(), entries, made, result }
  }
}

let replica
for await (const step of read(process.stdin)) {
  if (step.op === 'start') {
    replica = new Replica()
    continue
  }
  try {
    write(await replica.answer(step))
  } catch (error) {
    // A root whose blocks a change did not give out (D16a).
    if (!String(error.message).startsWith('missing block: ')) throw error
    write({ defect: error.message })
  }
}
