// Verifies the proof of a key by the rules of spec/proofs.md: node verify-proof.js FILE ROOT KEY
import { readFileSync } from 'node:fs'
import { createWriter } from '@ipld/car/buffer-writer'
import { CarReader } from '@ipld/car/reader'
import * as dagCbor from '@ipld/dag-cbor'
import { CID } from 'multiformats/cid'
import { sha256 } from 'multiformats/hashes/sha2'

const demand = (kept, rule) => { if (!kept) throw new Error(`no proof: rule ${rule}`) }
const same = (a, b) => a.length === b.length && a.every((each, i) => each === b[i])
const isIn = (number, least, most) => Number.isInteger(number) && number >= least && number <= most
const isShard = cid => cid.version === 1 && cid.code === dagCbor.code && cid.multihash.code === sha256.code

/** The CID of the value, or null if the key has none. Take the root from where you trust it, never from the proof. */
export async function verify (proof, root, key) {
  const car = await CarReader.fromBytes(proof)
  demand(`${await car.getRoots()}` === `${root}`, 'PF10')
  const copy = createWriter(new ArrayBuffer(proof.length), { roots: [root] })
  const blocks = new Map() // the bytes of the shards, in the order of the proof
  for await (const { cid, bytes } of car.blocks()) {
    demand(isShard(cid) && !blocks.has(`${cid}`), 'PF3')
    demand(same((await sha256.digest(bytes)).bytes, cid.multihash.bytes), 'PF11')
    blocks.set(`${cid}`, bytes)
    copy.write({ cid, bytes })
  }
  demand(same(copy.close(), proof) && blocks.has(`${root}`), 'PF1, PF4')
  const { version, keyChars, maxKeySize, maxSize, maxKeyLength } = dagCbor.decode(blocks.get(`${root}`))
  const isV0 = isIn(maxSize, 64, 8388608) && isIn(maxKeyLength, 1, 4096)
  demand(isV0 || (isIn(version, 1, 2) && keyChars === 'ascii' && isIn(maxKeySize, 1, 4096)), 'S2')
  const config = isV0 ? { maxSize, maxKeyLength } : { version, keyChars, maxKeySize }
  const [read, tried] = [new Map(), new Set()] // the links of the shards that are read; the places that were
  const find = (id, path) => {
    if (tried.size === tried.add(id + path).size) return null
    demand(blocks.has(id), 'PF4')
    const { entries } = dagCbor.decode(blocks.get(id))
    const shard = { entries, ...(!isV0 && { prefix: path }), ...((path === '' || version !== 2) && config) }
    demand(same(dagCbor.encode(shard), blocks.get(id)) && (path === '' || entries.length > 0), 'S2, S3, S9')
    entries.forEach(([k, v, ...more], i) => {
      const [last, cids] = [entries[i - 1]?.[0], [v].flat()]
      demand(typeof k === 'string' && more.length === 0 && isIn(cids.length, 1, 2) && cids.every(CID.asCID), 'S5')
      demand(v === cids[0] || (isShard(v[0]) && k !== '' && (isV0 || k.length === 1)), 'S1, S8, V1.2')
      demand((i === 0 || last < k) && (k !== '' || path === ''), 'S6, S8')
      demand(isV0 ? k.length <= maxKeyLength || [...k].length === 1 : /^[ -~]*$/.test(k), 'V0.2, V1.1')
      demand(isV0 || ((path + k).length <= maxKeySize && (i === 0 || last[0] !== k[0])), 'V1.1, V1.3')
    })
    read.set(id, entries.filter(([, v]) => Array.isArray(v)))
    const ways = read.get(id).filter(([k]) => key.startsWith(path + k) && key !== path + k)
    const own = entries.find(([k]) => path + k === key)?.[1]
    return ways.reduce((value, [k, [below]]) => value ?? find(`${below}`, path + k), null) ?? own?.[1] ?? CID.asCID(own)
  }
  const value = find(`${root}`, '')
  const walk = (id, order) => {
    if (read.has(id) && !order.has(id)) read.get(order.add(id) && id).forEach(([, [below]]) => walk(`${below}`, order))
    return [...order]
  }
  demand(same(walk(`${root}`, new Set()), [...blocks.keys()]), 'PF4, PF5')
  return value
}
const [, script, file, root, key] = process.argv
if (script.endsWith('/verify-proof.js')) console.log(`${await verify(readFileSync(file), CID.parse(root), key)}`)
