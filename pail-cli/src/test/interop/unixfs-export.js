// unixfs-export.js STORE < {"cid", "ranges"} lines: reads a file of UnixFS, or all below a folder, with ipfs-unixfs-exporter. Prints
// {"bytes"} of a file, {"ranges"} of [offset, length] pairs, or {"entries"} of a folder: {"path", "kind", "cid", "bytes"}.
import { exporter, recursive } from 'ipfs-unixfs-exporter'
import { CID } from 'multiformats/cid'
import { Folder, collect } from './folder.js'
import { read, write } from './lines.js'

const folder = await new Folder(process.argv[2]).open()
// Files that many names lead to are read from the disk once.
const known = new Map()
const store = {
  async * get (cid) {
    const name = cid.toString()
    if (!known.has(name)) known.set(name, (await folder.get(cid)).bytes)
    yield known.get(name)
  }
}

async function bytes (entry, options) {
  return Buffer.from(await collect(entry.content(options))).toString('base64')
}

for await (const { cid, ranges } of read(process.stdin)) {
  const entry = await exporter(CID.parse(cid), store)
  if (ranges != null) {
    const parts = []
    for (const [offset, length] of ranges) parts.push(await bytes(entry, { offset, length }))
    write({ ranges: parts })
  } else if (entry.type !== 'directory') {
    write({ bytes: await bytes(entry) })
  } else {
    const entries = []
    for await (const each of recursive(CID.parse(cid), store)) {
      if (each.depth === 0) continue
      const found = await exporter(each.cid, store)
      const kind = found.type === 'directory' ? 'FOLDER' : found.unixfs?.type === 'symlink' ? 'LINK' : 'FILE'
      entries.push({
        path: each.path.slice(cid.length + 1),
        kind,
        cid: each.cid.toString(),
        bytes: kind === 'FILE' ? await bytes(found) : ''
      })
    }
    write({ entries })
  }
}
