// write-car.js KEY-FILE COUNT CAR: a pail with these entries as the CAR file that the command of npm pail works on. Its own
// put loses data, so the library writes it.
import { createWriteStream, readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { CarWriter } from '@ipld/car/writer'
import { CID } from 'multiformats/cid'
import { peers } from './peers.js'

const [keys, count, path] = process.argv.slice(2)
const entries = readFileSync(keys, 'utf8').split('\n').filter(line => line).slice(0, Number(count)).map(line => {
  const [key, value] = line.split('\t')
  return { key, value: CID.parse(value) }
})
const map = await (await peers['npm-0.6']()).empty()
await map.batch(entries)

const { writer, out } = CarWriter.create([map.root])
const written = finished(Readable.from(out).pipe(createWriteStream(path)))
for (const { cid, bytes } of map.blocks.values()) await writer.put({ cid, bytes })
await writer.close()
await written
