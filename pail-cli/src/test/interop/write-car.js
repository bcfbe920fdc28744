// write-car.js FILE ROOT... < {"codec", "bytes"} lines: writes blocks as @ipld/car does.
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { CarWriter } from '@ipld/car/writer'
import { CID } from 'multiformats/cid'
import { sha256 } from 'multiformats/hashes/sha2'
import { read } from './lines.js'

const [path, ...roots] = process.argv.slice(2)
const { writer, out } = CarWriter.create(roots.map(root => CID.parse(root)))
const written = pipeline(Readable.from(out), createWriteStream(path))
for await (const { codec, bytes } of read(process.stdin)) {
  const content = Uint8Array.from(Buffer.from(bytes, 'base64'))
  await writer.put({ cid: CID.createV1(codec, await sha256.digest(content)), bytes: content })
}
await writer.close()
await written
