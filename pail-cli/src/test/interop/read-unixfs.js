// read-unixfs.js FOLDER CID: all files below a folder of UnixFS, as @helia/unixfs reads them from a folder of blocks.
import { unixfs } from '@helia/unixfs'
import { CID } from 'multiformats/cid'
import { Folder, collect } from './folder.js'
import { write } from './lines.js'

const { store } = await new Folder(process.argv[2]).open()
const files = unixfs({ blockstore: store })

async function list (cid, path) {
  for await (const { cid: entry, name } of files.ls(cid)) {
    if ((await files.stat(entry)).type === 'directory') await list(entry, `${path}${name}/`)
    else write({ path: path + name, bytes: Buffer.from(await collect(files.cat(entry))).toString('base64') })
  }
}

await list(CID.parse(process.argv[3]), '')
