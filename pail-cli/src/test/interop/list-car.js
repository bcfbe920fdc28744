// list-car.js FILE FORMAT: all entries of the pail that is the first root of a CAR.
import { createReadStream } from 'node:fs'
import { CarReader } from '@ipld/car/reader'
import { write } from './lines.js'
import { entries, pails } from './pails.js'

const [path, format] = process.argv.slice(2)
const car = await CarReader.fromIterable(createReadStream(path))
const [root] = await car.getRoots()
for (const entry of await entries(pails[format], car, root)) write(entry)
