// list-pail.js FOLDER FORMAT ROOT: all entries of a pail.
import { CID } from 'multiformats/cid'
import { Folder } from './folder.js'
import { write } from './lines.js'
import { entries, pails } from './pails.js'

const [path, format, root] = process.argv.slice(2)
const folder = await new Folder(path).open()
for (const entry of await entries(pails[format], folder, CID.parse(root))) write(entry)
