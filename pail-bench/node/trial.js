// trial.js PEER OPERATION KEY-FILE OPTIONS: runs one work once, warmed up, and prints what it took as a line of JSON.
// OPTIONS: {"keys", "lookups", "warmKeys", "warmSeconds", "sampleSeconds"}. The twin of Trial.java.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { CID } from 'multiformats/cid'
import { peers } from './peers.js'

const [name, operation, file, options] = process.argv.slice(2)
const { keys: most, lookups, warmKeys, warmSeconds, sampleSeconds } = JSON.parse(options)
const peer = await peers[name]()

const entries = []
for (const line of readFileSync(file, 'utf8').split('\n')) {
  if (line === '' || entries.length === most) continue
  const [key, value] = line.split('\t')
  entries.push({ key: peer.key(key), value: CID.parse(value) })
}

/**
 * As many entries from all over the list, in an order that jumps about. The step has no factor in common with any count. Their keys
 * are copies, made in that order, as who looks up a key has just made it.
 */
function wanted (entries) {
  const some = []
  const step = 7_368_787
  for (let i = 0, at = 0; i < lookups; i++, at = (at + step) % entries.length) {
    const { key, value } = entries[at]
    some.push({ key: Buffer.from(key).toString(), value })
  }
  return some
}

/** Gives the function that does the work and returns {nanos, operations, map}. */
const operations = {
  async put (entries) {
    return async () => {
      const map = await peer.empty()
      let nanos = 0n
      for (let from = 0; from < entries.length; from += 256) {
        const some = entries.slice(from, from + 256)
        const start = process.hrtime.bigint()
        for (const { key, value } of some) await map.put(key, value)
        nanos += process.hrtime.bigint() - start
        await map.prune()
      }
      return { nanos, operations: entries.length, map }
    }
  },

  async batch (entries) {
    return async () => {
      const map = await peer.empty()
      const start = process.hrtime.bigint()
      await map.batch(entries)
      return { nanos: process.hrtime.bigint() - start, operations: entries.length, map }
    }
  },

  async get (entries) {
    const map = await peer.empty()
    await map.batch(entries)
    return reading(map, entries, async key => map.get(key))
  },

  async coldGet (entries) {
    const map = await peer.empty()
    await map.batch(entries)
    return reading(map, entries, async key => (await map.cold()).get(key))
  },

  async scan (entries) {
    const map = await peer.empty()
    await map.batch(entries)
    return async () => {
      let found = 0
      const start = process.hrtime.bigint()
      for await (const [, value] of map.entries()) if (value) found++
      const nanos = process.hrtime.bigint() - start
      check(found, entries.length)
      return { nanos, operations: found, map }
    }
  },

  async diff (entries) {
    const puts = entries.slice(-Math.min(100, entries.length >> 1))
    const before = await peer.empty()
    await before.batch(entries.slice(0, -puts.length))
    const map = before.fork()
    for (const { key, value } of puts) await map.put(key, value)
    return async () => {
      let keys
      const start = process.hrtime.bigint()
      for (let i = 0; i < lookups; i++) keys = await map.diff(before)
      const nanos = process.hrtime.bigint() - start
      // All that were put must be listed. Others may be, too: npm pail lists moved keys and even links, see README.
      const listed = new Set(keys)
      check(puts.filter(({ key }) => listed.has(key)).length, puts.length)
      return { nanos, operations: lookups, map }
    }
  }
}

function reading (map, entries, get) {
  const some = wanted(entries)
  return async () => {
    let found = 0
    const start = process.hrtime.bigint()
    for (const { key, value } of some) if ((await get(key)).code === value.code) found++
    const nanos = process.hrtime.bigint() - start
    check(found, some.length)
    return { nanos, operations: found, map }
  }
}

function check (found, wanted) {
  if (found !== wanted) throw new Error(`${found} found, ${wanted} wanted`)
}

async function digest (map) {
  const hash = createHash('sha256')
  let count = 0
  for await (const [key, value] of map.entries()) {
    hash.update(`${peer.original(key)}\t${value}\n`)
    count++
  }
  return { count, digest: hash.digest('hex') }
}

const work = await operations[operation](entries)
const small = warmKeys < entries.length ? await operations[operation](entries.slice(0, warmKeys)) : work
const warm = process.hrtime.bigint() + BigInt(Math.round(warmSeconds * 1e9))
do await small(); while (process.hrtime.bigint() < warm)

const samples = []
let last
let total = 0n
do {
  last = undefined
  last = await work()
  samples.push(last.nanos)
  total += last.nanos
} while (total < sampleSeconds * 1e9 && samples.length < 20)
samples.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))

const nanos = Number(samples[samples.length >> 1])
console.log(JSON.stringify({ nanos, operations: last.operations, ...await digest(last.map) }))
