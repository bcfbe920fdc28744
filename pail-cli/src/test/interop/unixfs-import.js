// unixfs-import.js STORE < {"chunkSize", "links", "file"} or {"folder"} lines: writes a file or a folder of UnixFS as
// ipfs-unixfs-importer does with the profile unixfs-v1-2025, and prints {"cid", "size"} each. A file is {"bytes"} or {"link"}, perhaps
// with "mode" and "mtime" (seconds); a folder is a list of files with "path", or of empty folders without bytes.
import { importer } from 'ipfs-unixfs-importer'
import { fixedSize } from 'ipfs-unixfs-importer/chunker'
import { balanced } from 'ipfs-unixfs-importer/layout'
import { Folder } from './folder.js'
import { read, write } from './lines.js'

const target = await new Folder(process.argv[2]).open()
// Blocks go to the folder at the end, each once: blockstore-fs waits when one block is put twice at the same time.
const blocks = new Map()
const store = { put: async (cid, bytes) => { blocks.set(cid.toString(), { cid, bytes }); return cid } }

function candidate ({ path, bytes, link, mode, mtime }) {
  const found = { path, mode, mtime: mtime == null ? undefined : { secs: BigInt(mtime) } }
  if (link != null) found.link = link
  if (bytes != null) found.content = Buffer.from(bytes, 'base64')
  return found
}

for await (const { chunkSize, links, file, folder } of read(process.stdin)) {
  const options = { profile: 'unixfs-v1-2025', wrapWithDirectory: folder != null }
  if (chunkSize != null) options.chunker = fixedSize({ chunkSize })
  if (links != null) options.layout = balanced({ maxChildrenPerNode: links })
  let root
  for await (const entry of importer((folder ?? [file]).map(candidate), store, options)) root = entry
  write({ cid: root.cid.toString(), size: Number(root.size) })
}
await target.putAll(blocks.values())
