// read-car.js FILE: the roots of a CAR in one line, then its blocks as @ipld/car reads them, with their hashes.
import { createReadStream } from 'node:fs'
import { CarBlockIterator } from '@ipld/car/iterator'
import { sha256 } from 'multiformats/hashes/sha2'
import { write } from './lines.js'

const car = await CarBlockIterator.fromIterable(createReadStream(process.argv[2]))
write({ version: car.version, roots: (await car.getRoots()).map(root => root.toString()) })
for await (const { cid, bytes } of car) {
  const hash = await sha256.digest(bytes)
  write({ cid: cid.toString(), bytes: base64(bytes), multihash: base64(hash.bytes) })
}

function base64 (bytes) {
  return Buffer.from(bytes).toString('base64')
}
