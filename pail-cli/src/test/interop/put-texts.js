// put-texts.js FOLDER FORMAT ROOT < {"key", "text"} lines: stores each text as a raw block, puts its CID, prints {"root"}.
// What a put calls removals stays: the new root may need it (D04, D05).
import { CID } from 'multiformats/cid'
import * as raw from 'multiformats/codecs/raw'
import { sha256 } from 'multiformats/hashes/sha2'
import { Folder } from './folder.js'
import { read, write } from './lines.js'
import { pails } from './pails.js'

const [path, format, start] = process.argv.slice(2)
const folder = await new Folder(path).open()
let root = CID.parse(start)
for await (const { key, text } of read(process.stdin)) {
  const bytes = new TextEncoder().encode(text)
  const cid = CID.createV1(raw.code, await sha256.digest(bytes))
  const next = await pails[format].put(folder, root, key, cid)
  await folder.putAll([{ cid, bytes }, ...next.additions])
  root = next.root
}
write({ root: root.toString() })
