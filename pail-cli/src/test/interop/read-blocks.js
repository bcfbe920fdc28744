// read-blocks.js FOLDER < {"cid"} lines: reads blocks by CID and hashes what it got.
import { CID } from 'multiformats/cid'
import { sha256 } from 'multiformats/hashes/sha2'
import { Folder } from './folder.js'
import { read, write } from './lines.js'

const folder = await new Folder(process.argv[2]).open()
for await (const { cid } of read(process.stdin)) {
  const { bytes } = await folder.get(CID.parse(cid))
  const hash = await sha256.digest(bytes)
  write({ cid, bytes: base64(bytes), multihash: base64(hash.bytes) })
}

function base64 (bytes) {
  return Buffer.from(bytes).toString('base64')
}
