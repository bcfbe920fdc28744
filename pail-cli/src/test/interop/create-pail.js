// create-pail.js FOLDER FORMAT CONFIGURATION: writes an empty pail and prints {"root"}.
import { Folder } from './folder.js'
import { write } from './lines.js'
import { pails } from './pails.js'

const [path, format, configuration] = process.argv.slice(2)
const folder = await new Folder(path).open()
const root = await pails[format].empty(JSON.parse(configuration))
await folder.putAll([root])
write({ root: root.cid.toString() })
