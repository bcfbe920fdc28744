// Makes files (make), reads a folder in a CAR with @ipld/car and @helia/unixfs as the files of a folder (read), writes CARs with @helia/unixfs
// (write), and reads files of a folder from a gateway with verified-fetch (fetch).
import { unixfs } from '@helia/unixfs'
import { CarReader, CarWriter } from '@ipld/car'
import * as dagPb from '@ipld/dag-pb'
import { MemoryBlockstore } from 'blockstore-core'
import { UnixFS } from 'ipfs-unixfs'
import { CID } from 'multiformats/cid'
import { sha256 } from 'multiformats/hashes/sha2'
import { createReadStream, createWriteStream } from 'node:fs'
import { lstat, mkdir, readFile, readdir, readlink, symlink, utimes, chmod, writeFile } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

const MIB = 1 << 20
const LINK = 'a link'
const TARGET = 'a/b.txt'

function check (isRight, what) {
  if (!isRight) {
    console.error(`FAILED: ${what}`)
    process.exit(1)
  }
}

async function make (folder) {
  const files = new Map([
    ['empty', 0], ['one', 1], ['mib and one.bin', MIB + 1], ['3 mib.bin', 3 * MIB],
    ['a/b.txt', 20], ['nested/a b/ c /d.txt', 9], ['nested/äöü 世界 🙂.txt', 11], ['nested/%41 #?&.txt', 3], ["nested/it's \"odd\" \\ *.txt", 4]
  ])
  for (const [path, size] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), randomBytes(size))
  }
  await mkdir(join(folder, 'many'))
  // ipfs-car makes shards of more than 1,000 entries, the others of more than 256 KiB.
  for (let i = 0; i < 1050; i++) {
    await writeFile(join(folder, 'many', `${i} ${'of a folder in shards '.repeat(10)}`), `${i}`)
  }
  await chmod(join(folder, 'one'), 0o751)
  await chmod(join(folder, '3 mib.bin'), 0o600)
  await utimes(join(folder, 'one'), 1000000000, 1000000000.5)
  await utimes(join(folder, 'empty'), -86400, -86400)
}

// All files and links below a folder, by their paths
async function tree (folder) {
  const found = new Map()
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    const name = path.slice(folder.length + 1)
    if (entry.isSymbolicLink()) {
      found.set(name, { link: await readlink(path) })
    } else if (entry.isFile()) {
      const stat = await lstat(path, { bigint: true })
      found.set(name, { bytes: await readFile(path), mode: Number(stat.mode & 0o777n), mtime: stat.mtimeNs })
    }
  }
  return found
}

async function blocksOf (car) {
  const blocks = new MemoryBlockstore()
  const reader = await CarReader.fromIterable(createReadStream(car))
  for await (const { cid, bytes } of reader.blocks()) {
    const hash = await sha256.digest(bytes)
    check(Buffer.compare(hash.bytes, cid.multihash.bytes) === 0, `${car} has the bytes of ${cid}`)
    await blocks.put(cid, bytes)
  }
  return { blocks, roots: await reader.getRoots() }
}

async function theirTree (fs, root) {
  const found = new Map()
  async function add (cid, prefix) {
    for await (const entry of fs.ls(cid, { extended: true })) {
      const path = prefix + entry.name
      const stat = await fs.stat(entry.cid, { extended: true })
      if (stat.type === 'directory') {
        await add(entry.cid, `${path}/`)
      } else if (stat.unixfs?.type === 'symlink') {
        found.set(path, { link: Buffer.from(stat.unixfs.data).toString() })
      } else {
        const parts = []
        for await (const part of fs.cat(entry.cid)) {
          parts.push(part)
        }
        const time = stat.mtime
        found.set(path, {
          bytes: Buffer.concat(parts),
          mode: stat.mode,
          mtime: time === undefined ? undefined : BigInt(time.secs) * 1000000000n + BigInt(time.nsecs ?? 0)
        })
      }
    }
  }
  await add(root, '')
  return found
}

function compare (expected, found, what) {
  const missing = [...expected.keys()].filter(path => !found.has(path))
  const more = [...found.keys()].filter(path => !expected.has(path))
  check(missing.length === 0 && more.length === 0, `${what}: missing ${missing.slice(0, 3)}, more ${more.slice(0, 3)}`)
  for (const [path, file] of expected) {
    const other = found.get(path)
    check(file.link === other.link, `${what}: the target of ${path}`)
    if (file.bytes !== undefined) {
      check(Buffer.compare(file.bytes, other.bytes) === 0, `${what}: the bytes of ${path}`)
      check(file.mode === other.mode, `${what}: the mode of ${path}, ${file.mode} and not ${other.mode}`)
      check(file.mtime === other.mtime, `${what}: the mtime of ${path}, ${file.mtime} and not ${other.mtime}`)
    }
  }
  console.log(`ok: ${what}, ${expected.size} files`)
}

// Compares what is in a CAR whose root is a folder with a folder.
async function read (folder, car) {
  const { blocks, roots } = await blocksOf(car)
  compare(await tree(folder), await theirTree(unixfs({ blockstore: blocks }), roots[0]),
    `@helia/unixfs reads ${car.split('/').pop()}`)
}

// A CAR of a folder with modes, mtimes and a symbolic link, as @helia/unixfs writes it
async function write (folder, car) {
  const blocks = new MemoryBlockstore()
  const fs = unixfs({ blockstore: blocks })
  const files = [...await tree(folder)].filter(([, file]) => file.link === undefined)
  let root
  for await (const { cid } of fs.addAll(files.map(([path, { bytes, mode, mtime }]) => {
    const secs = mtime / 1000000000n - (mtime % 1000000000n < 0n ? 1n : 0n)
    return { path, content: bytes, mode, mtime: { secs, nsecs: Number(mtime - secs * 1000000000n) } }
  }), { wrapWithDirectory: true, preserveMode: true })) {
    root = cid
  }
  const link = dagPb.encode({ Data: new UnixFS({ type: 'symlink', data: Buffer.from(TARGET) }).marshal(), Links: [] })
  const linkCid = CID.createV1(dagPb.code, await sha256.digest(link))
  await blocks.put(linkCid, link)
  // @helia/unixfs gives a folder that it changes within another a tree size with what was there before, so the link is in the outermost.
  root = await fs.cp(linkCid, root, LINK)
  const { writer, out } = CarWriter.create([root])
  const done = pipeline(Readable.from(out), createWriteStream(car))
  async function put (cid) {
    const parts = []
    for await (const part of blocks.get(cid)) {
      parts.push(part)
    }
    const bytes = Buffer.concat(parts)
    await writer.put({ cid, bytes })
    if (cid.code === dagPb.code) {
      for (const { Hash } of dagPb.decode(bytes).Links) {
        await put(Hash)
      }
    }
  }
  await put(root)
  await writer.close()
  await done
  await symlink(TARGET, join(folder, LINK))
}

async function fetchAll (gateway, root, folder) {
  const { withHTTP } = await import('@helia/http')
  const { createHeliaLight } = await import('helia')
  const { createVerifiedFetch } = await import('@helia/verified-fetch')
  const helia = await withHTTP(createHeliaLight(), {
    delegatedRouters: [gateway], recursiveGateways: [gateway], allowInsecure: true, allowLocal: true
  }).start()
  const verifiedFetch = await createVerifiedFetch(helia)
  const files = [...await tree(folder)].filter(([path, file]) => file.link === undefined && !/^many\/(?!7 )/.test(path))
  for (const [path, { bytes }] of files) {
    const response = await verifiedFetch(`ipfs://${root}/${path.split('/').map(encodeURIComponent).join('/')}`)
    check(response.ok, `verified-fetch reads ${path}: ${response.status}`)
    check(Buffer.compare(Buffer.from(await response.arrayBuffer()), bytes) === 0, `verified-fetch reads the bytes of ${path}`)
  }
  console.log(`ok: verified-fetch reads ${files.length} files by their paths`)
  process.exit(0)
}

const [what, ...rest] = process.argv.slice(2)
await { make, read, write, fetch: fetchAll }[what](...rest)
