// Makes mutants of UnixFS nodes (make), and compares what pail restore has read of them with what ipfs-unixfs-exporter reads (compare).
import { CarWriter, CarReader } from '@ipld/car'
import { exporter } from 'ipfs-unixfs-exporter'
import { CID } from 'multiformats/cid'
import { identity } from 'multiformats/hashes/identity'
import { sha256 } from 'multiformats/hashes/sha2'
import { createReadStream, createWriteStream, existsSync, lstatSync, readFileSync, writeFileSync } from 'node:fs'
import { Readable } from 'node:stream'

const [what, folder, count, seed] = process.argv.slice(2)
const DAG_PB = 0x70
const RAW = 0x55

function number (value) {
  const bytes = []
  for (let rest = BigInt.asUintN(64, BigInt(value)); ; rest >>= 7n) {
    bytes.push(Number(rest & 127n) | (rest > 127n ? 128 : 0))
    if (rest <= 127n) return Buffer.from(bytes)
  }
}
const field = (id, value) => Buffer.isBuffer(value)
  ? Buffer.concat([number(id << 3 | 2), number(value.length), value])
  : Buffer.concat([number(id << 3), number(value)])

async function make () {
  let state = Number(seed) >>> 0
  const random = most => { // mulberry32
    state = state + 0x6d2b79f5 >>> 0
    let t = state
    t = Math.imul(t ^ t >>> 15, t | 1)
    t ^= t + Math.imul(t ^ t >>> 7, t | 61)
    return ((t ^ t >>> 14) >>> 0) % most
  }
  const { writer, out } = CarWriter.create([CID.createV1(RAW, await sha256.digest(Buffer.from('root')))])
  const file = createWriteStream(`${folder}/mutants.car`)
  const done = new Promise(resolve => file.on('finish', resolve))
  Readable.from(out).pipe(file)
  const put = async (codec, bytes) => {
    const cid = CID.createV1(codec, await sha256.digest(bytes))
    await writer.put({ cid, bytes })
    return cid
  }
  const leaves = []
  for (let i = 0; i < 12; i++) leaves.push({ size: i, cid: await put(RAW, Buffer.alloc(i, 97 + i)) })
  for (let i = 1; i < 6; i++) {
    const data = Buffer.concat([field(1, i % 2 * 2), field(2, Buffer.alloc(i, 65 + i)), field(3, i)])
    leaves.push({ size: i, cid: await put(DAG_PB, field(1, data)) })
  }
  leaves.push({ size: 3, cid: CID.createV1(RAW, identity.digest(Buffer.from('idt'))) })
  const link = (cid, name) => field(2, Buffer.concat([field(1, Buffer.from(cid.bytes)), field(2, Buffer.from(name)), field(3, random(99))]))
  const metadata = () => Buffer.concat([
    random(3) ? Buffer.alloc(0) : field(7, random(2) ? 0o644 : 2 ** 32 + 0o755),
    random(3)
      ? Buffer.alloc(0)
      : field(8, Buffer.concat([random(4) ? field(1, random(2) ? 1700000000 : -1) : Buffer.alloc(0),
        random(2) ? Buffer.concat([Buffer.from([21]), Buffer.from([random(3), 0, 0, random(256)])]) : Buffer.alloc(0)]))])
  const fileNode = depth => {
    const parts = []
    for (let i = random(5); i > 0; i--) parts.push(leaves[random(leaves.length)])
    const own = Buffer.alloc(random(3) ? 0 : random(6), 46)
    const size = parts.reduce((sum, part) => sum + part.size, own.length)
    const data = Buffer.concat([field(1, random(5) ? 2 : 0), own.length ? field(2, own) : own,
      random(4) ? field(3, size) : Buffer.alloc(0),
      ...(random(5) ? parts.map(part => field(4, part.size)) : []), metadata()])
    const links = parts.map(part => link(part.cid, random(4) ? '' : 'name'))
    return { size, bytes: Buffer.concat(random(4) ? [...links, field(1, data)] : [field(1, data), ...links]) }
  }
  const folderNode = () => {
    const links = []
    for (let i = random(4); i > 0; i--) links.push(link(leaves[random(leaves.length)].cid, `n${i}`))
    return { bytes: Buffer.concat([...links, field(1, Buffer.concat([field(1, 1), metadata()]))]) }
  }
  const linkNode = () => ({ bytes: field(1, Buffer.concat([field(1, 4), field(2, Buffer.from('target')), metadata()])) })
  const keys = []
  for (let i = 0; i < Number(count); i++) {
    const node = random(8) ? fileNode() : random(3) ? folderNode() : linkNode()
    let bytes = Buffer.from(node.bytes)
    for (let changes = random(4) - 1; changes >= 0 && bytes.length > 0; changes--) {
      const at = random(bytes.length)
      switch (random(5)) {
        case 0: bytes[at] = random(256); break
        case 1: bytes[at] ^= 1 << random(8); break
        case 2: bytes = bytes.subarray(0, at); break
        case 3: bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]); break
        default: bytes = Buffer.concat([bytes.subarray(0, at), Buffer.from([random(256)]), bytes.subarray(at)])
      }
    }
    const cid = await put(DAG_PB, bytes)
    keys.push({ key: `m${i}`, cid: cid.toString() })
    if (node.size !== undefined && bytes.equals(node.bytes) && random(10) === 0) leaves.push({ size: node.size, cid })
  }
  await writer.close()
  await done
  writeFileSync(`${folder}/keys`, keys.map(({ key, cid }) => `${key}\t${cid}\n`).join(''))
}

async function compare () {
  const car = await CarReader.fromIterable(createReadStream(`${folder}/mutants.car`))
  const blocks = { async * get (cid) {
    if (cid.multihash.code === 0) { yield cid.multihash.digest; return }
    const block = await car.get(cid)
    if (block == null) throw new Error('not found')
    yield block.bytes
  } }
  const refused = new Map(readFileSync(`${folder}/damaged`, 'utf8').split('\n')
    .map(line => line.match(/^damaged: (m\d+)(?:\/.*)?: (.*)$/)).filter(Boolean).map(found => [found[1], found[2]]))
  const theirs = async cid => {
    const entry = await exporter(CID.parse(cid), blocks)
    if (entry.type === 'directory') {
      for await (const each of entry.entries()) void each
      return 'folder'
    }
    if (entry.unixfs?.type === 'symlink') return 'link'
    if (entry.unixfs?.type === 'metadata') return 'metadata'
    if (entry.unixfs?.blockSizes.length === 0 && entry.node.Links?.length > 0) throw new Error('Inconsistent block sizes and dag links')
    const all = []
    const timeout = new Promise((resolve, reject) => setTimeout(() => reject(new Error('no end')), 2000).unref())
    await Promise.race([timeout, (async () => { for await (const part of entry.content()) all.push(part) })()])
    return Buffer.concat(all)
  }
  process.on('unhandledRejection', () => {}) // of readers that were given up
  const counts = { same: 0, neither: 0, boxo: 0, refused: 0 }
  const reasons = new Map()
  const wrong = []
  for (const line of readFileSync(`${folder}/keys`, 'utf8').trim().split('\n')) {
    const [key, cid] = line.split('\t')
    const path = `${folder}/out/${key}`
    let stat
    try { stat = lstatSync(path) } catch { stat = null }
    const ours = refused.has(key) || stat === null ? null
      : stat.isDirectory() ? 'folder' : stat.isSymbolicLink() ? 'link' : readFileSync(path)
    let js, error
    try { js = await theirs(cid) } catch (e) { js = null; error = e.message }
    if (ours === null && js === null) counts.neither++
    else if (ours === null) {
      counts.refused++
      const reason = (refused.get(key) ?? 'not written').replace(/\(at offset \d+\)/, '').replace(/(bafy|bafk|Qm)\w+/g, 'CID').replace(/byte \d+/, 'byte N').replace(/this one is .*/, '')
      reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
    } else if (js === null && /Inconsistent block sizes/.test(error)) counts.boxo++ // no sizes: boxo reads it
    else if (js === 'metadata') counts.boxo++ // js gives no bytes, boxo those of the file
    else if (js !== null && (typeof ours === 'string' ? ours === js : Buffer.isBuffer(js) && Buffer.compare(ours, js) === 0)) counts.same++
    else wrong.push(`${key} ${cid}: ours ${Buffer.isBuffer(ours) ? ours.length + ' bytes' : ours}, theirs ${js === null ? error : js.length}`)
  }
  console.log(`read alike ${counts.same}, refused by both ${counts.neither}, read as boxo does ${counts.boxo}, read by ipfs-unixfs-exporter alone ${counts.refused}:`)
  for (const [reason, times] of [...reasons].sort((a, b) => b[1] - a[1])) console.log(`  ${times}  ${reason}`)
  wrong.slice(0, 20).forEach(line => console.error(line))
  console.log(wrong.length === 0 ? `ok: what pail reads, ipfs-unixfs-exporter reads` : `FAILED: ${wrong.length} are read otherwise`)
  process.exit(wrong.length === 0 && counts.same > count / 10 ? 0 : 1)
}

await (what === 'make' ? make() : compare())
