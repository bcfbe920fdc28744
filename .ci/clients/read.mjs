// Reads a pail and a file from a gateway with the clients that other people use, and compares what they give.
import { withHTTP } from '@helia/http'
import { createHeliaLight } from 'helia'
import { createVerifiedFetch } from '@helia/verified-fetch'
import { CarBlockIterator } from '@ipld/car'
import * as pail from '@web3-storage/pail'
import { CID } from 'multiformats/cid'
import { sha256 } from 'multiformats/hashes/sha2'
import { readFile } from 'node:fs/promises'

const [gateway, root, file, path, keys] = process.argv.slice(2)
const expected = await readFile(path)

function check (isRight, what) {
  if (!isRight) {
    console.error(`FAILED: ${what}`)
    process.exit(1)
  }
  console.log(`ok: ${what}`)
}

async function get (address, accept) {
  const response = await fetch(gateway + address, { headers: { accept } })
  if (!response.ok) {
    throw new Error(`${address}: status ${response.status}`)
  }
  return response
}

// npm pail with blocks that it fetches one by one
const blocks = {
  async get (cid) {
    const response = await get(`/ipfs/${cid}?format=raw`, 'application/vnd.ipld.raw')
    const bytes = new Uint8Array(await response.arrayBuffer())
    const hash = await sha256.digest(bytes)
    if (Buffer.compare(hash.bytes, cid.multihash.bytes) !== 0) {
      throw new Error(`wrong bytes: ${cid}`)
    }
    return { cid, bytes }
  }
}
const found = []
for await (const [key] of pail.entries(blocks, CID.parse(root))) {
  found.push(key)
}
check(found.length === Number(keys), `npm pail lists ${keys} keys`)
const value = await pail.get(blocks, CID.parse(root), 'files/large.bin')
check(value?.toString() === file, 'npm pail gets a value')

// @ipld/car
const all = await CarBlockIterator.fromIterable((await get(`/ipfs/${root}?format=car`, 'application/vnd.ipld.car')).body)
let count = 0
for await (const { cid, bytes } of all) {
  const hash = await sha256.digest(bytes)
  if (cid.multihash.code === hash.code && Buffer.compare(hash.bytes, cid.multihash.bytes) !== 0) {
    check(false, `@ipld/car reads ${cid}`)
  }
  count++
}
check((await all.getRoots())[0].toString() === root && count > Number(keys), `@ipld/car reads ${count} blocks`)

// Helia, which asks for providers, too, and gets 404
const helia = await withHTTP(createHeliaLight(), {
  delegatedRouters: [gateway],
  recursiveGateways: [gateway],
  allowInsecure: true,
  allowLocal: true
}).start()
const verifiedFetch = await createVerifiedFetch(helia)
const response = await verifiedFetch(`ipfs://${file}`)
const bytes = Buffer.from(await response.arrayBuffer())
check(Buffer.compare(bytes, expected) === 0, `verified-fetch reads a file of ${bytes.length} bytes`)
await verifiedFetch.stop()
process.exit(0)
