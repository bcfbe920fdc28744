// The peers, each behind the same few operations: an empty map; put, which stores new blocks; batch; get; a handle with an
// empty cache; entries in order; fork, which starts at a version that stays; diff, the keys that differ from an earlier
// version; prune, which drops blocks of older versions and is never timed.
import * as codec from '@ipld/dag-cbor'

const same = { key: key => key, original: key => key }

export const peers = {
  'npm-0.5': async () => pail(
    await import('pail-0.5'), await import('pail-0.5/batch'), await import('pail-0.5/shard'), await import('pail-0.5/diff')),
  'npm-0.6': async () => pail(
    await import('pail-0.6'), await import('pail-0.6/batch'), await import('pail-0.6/shard'), await import('pail-0.6/diff')),
  mst,
  prolly
}

function pail (pail, batches, shards, diffs) {
  class PailMap {
    constructor (blocks, root) {
      this.blocks = blocks
      this.root = root
      this.fetcher = { get: async cid => blocks.get(cid.toString()) }
      this.stored = 0
    }

    keep ({ root, additions }) {
      // What is called removals stays: the new root may need it.
      for (const block of additions) {
        this.blocks.set(block.cid.toString(), block)
        this.stored += block.bytes.length
      }
      this.root = root
    }

    async put (key, value) {
      this.keep(await pail.put(this.fetcher, this.root, key, value))
    }

    async batch (entries) {
      const batch = await batches.create(this.fetcher, this.root)
      // One after the other: puts that are not awaited are lost.
      for (const { key, value } of entries) await batch.put(key, value)
      this.keep(await batch.commit())
    }

    get (key) {
      return pail.get(this.fetcher, this.root, key)
    }

    /** Decoded shards are remembered by the array of their bytes, so each read gives another one. */
    cold () {
      const map = new PailMap(this.blocks, this.root)
      map.fetcher = {
        get: async cid => ({ cid, bytes: this.blocks.get(cid.toString()).bytes.slice() })
      }
      return map
    }

    fork () {
      return new PailMap(this.blocks, this.root)
    }

    /** It also lists the shards that differ, and cannot do without. */
    async diff (before) {
      return (await diffs.difference(this.fetcher, before.root, this.root)).keys.map(([key]) => key)
    }

    entries () {
      return pail.entries(this.fetcher, this.root)
    }

    async prune () {
      if (this.stored < 128 << 20) return
      this.stored = 0
      const live = new Map()
      const todo = [this.root]
      while (todo.length) {
        const cid = todo.pop()
        const block = this.blocks.get(cid.toString())
        live.set(cid.toString(), block)
        for (const [, entry] of codec.decode(block.bytes).entries) if (Array.isArray(entry)) todo.push(entry[0])
      }
      this.blocks.clear()
      for (const [cid, block] of live) this.blocks.set(cid, block)
    }
  }

  return {
    ...same,
    async empty () {
      const root = await shards.ShardBlock.create()
      return new PailMap(new Map([[root.cid.toString(), root]]), root.cid)
    }
  }
}

/** The Merkle Search Tree of AT Protocol. Its keys have one slash: k/ is put before, and other slashes become tildes. */
async function mst () {
  const { DataDiff, MST, MemoryBlockstore } = (await import('@atproto/repo')).default

  class MstMap {
    constructor (storage, tree) {
      this.storage = storage
      this.tree = tree
    }

    async store () {
      const { blocks } = await this.tree.getUnstoredBlocks()
      await this.storage.putMany(blocks)
    }

    async put (key, value) {
      this.tree = await this.tree.add(key, value)
      await this.store()
    }

    async batch (entries) {
      let tree = this.tree
      for (const { key, value } of entries) tree = await tree.add(key, value)
      this.tree = tree
      await this.store()
    }

    get (key) {
      return this.tree.get(key)
    }

    async cold () {
      return new MstMap(this.storage, MST.load(this.storage, await this.tree.getPointer()))
    }

    fork () {
      return new MstMap(this.storage, this.tree)
    }

    async diff (before) {
      const diff = await DataDiff.of(this.tree, before.tree)
      return [...diff.addList(), ...diff.updateList(), ...diff.deleteList()].map(({ key }) => key)
    }

    async * entries () {
      for await (const node of this.tree.walk()) if (node.isLeaf()) yield [node.key, node.value]
    }

    prune () {}
  }

  return {
    key: key => 'k/' + key.replaceAll('/', '~'),
    original: key => key.slice(2).replaceAll('~', '/'),
    async empty () {
      const storage = new MemoryBlockstore()
      const map = new MstMap(storage, await MST.create(storage))
      await map.store()
      return map
    }
  }
}

async function prolly () {
  const { create, load } = await import('prolly-trees/map')
  const { bf, simpleCompare: compare } = await import('prolly-trees/utils')
  const { sha256: hasher } = await import('multiformats/hashes/sha2')
  const chunker = bf(30)

  function cache () {
    const nodes = new Map()
    return {
      has: cid => nodes.has(cid.toString()),
      get: cid => nodes.get(cid.toString()),
      set: async node => { nodes.set((await node.address).toString(), node) }
    }
  }

  class ProllyMap {
    constructor (blocks, root) {
      this.blocks = blocks
      this.root = root
      this.options = {
        get: async cid => this.blocks.get(cid.toString()), cache: cache(), chunker, codec, hasher, compare
      }
    }

    async put (key, value) {
      await this.batch([{ key, value }])
    }

    /** A map is never empty here: the first entries make it. */
    async batch (entries) {
      if (!this.root) {
        const sorted = entries.slice().sort((a, b) => compare(a.key, b.key))
        for await (const node of create({ ...this.options, list: sorted, sorted: true })) {
          const block = await node.block
          this.blocks.set(block.cid.toString(), block)
          this.root = node
        }
        return
      }
      const { root, blocks } = await this.root.bulk(entries)
      for (const block of blocks) this.blocks.set(block.cid.toString(), block)
      this.root = root
    }

    async get (key) {
      return (await this.root.get(key)).result
    }

    async cold () {
      const map = new ProllyMap(this.blocks, null)
      map.options.get = async cid => this.decoded(cid)
      map.root = await load({ ...map.options, cid: await this.root.address })
      return map
    }

    async decoded (cid) {
      const { bytes } = this.blocks.get(cid.toString())
      return { cid, bytes, value: codec.decode(bytes) }
    }

    async * entries () {
      for (const { key, value } of (await this.root.getAllEntries()).result) yield [key, value]
    }

    prune () {}
  }

  return { ...same, empty: async () => new ProllyMap(new Map(), null) }
}

