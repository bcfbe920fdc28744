import { FsBlockstore } from 'blockstore-fs'

/** A folder of blocks as blockstore-fs has it, seen the way that both versions of pail read blocks. */
export class Folder {
  constructor (path) {
    this.store = new FsBlockstore(path)
  }

  async open () {
    await this.store.open()
    return this
  }

  /** Returns new bytes each time: the library caches decoded shards by the array, with the prefix of the first use (D06). */
  async get (cid) {
    return { cid, bytes: await collect(this.store.get(cid)) }
  }

  async putAll (blocks) {
    for (const { cid, bytes } of blocks) await this.store.put(cid, bytes)
  }
}

export async function collect (chunks) {
  const all = []
  for await (const chunk of chunks) all.push(chunk)
  return Uint8Array.from(Buffer.concat(all))
}
