// verify-proofs.js [FORMAT]: reads {proof, root, key} and writes {value} or {refused}, as examples/js/verify-proof.js has it; with a
// format, also what the npm package of pail finds in the same file without a look at any hash.
import { CarReader } from '@ipld/car/reader'
import { CID } from 'multiformats/cid'
import { read, write } from './lines.js'
import { pails } from './pails.js'
import { verify } from './verify-proof.js'

const pail = pails[process.argv[2]]
for await (const { proof, root, key } of read(process.stdin)) {
  const bytes = Buffer.from(proof, 'base64')
  const answer = {}
  try {
    answer.value = String(await verify(bytes, CID.parse(root), key))
  } catch (error) {
    answer.refused = String(error)
  }
  if (pail) {
    answer.theirs = String(await pail.get(await CarReader.fromBytes(bytes), CID.parse(root), key) ?? null)
  }
  write(answer)
}
