// list-blocks.js FOLDER: all blocks that blockstore-fs finds by itself. The CIDs are its guess; the multihashes count.
import { collect, Folder } from './folder.js'
import { write } from './lines.js'

const folder = await new Folder(process.argv[2]).open()
for await (const { cid, bytes } of folder.store.getAll()) {
  const content = await collect(bytes)
  write({ multihash: Buffer.from(cid.multihash.bytes).toString('base64'), size: content.length })
}
