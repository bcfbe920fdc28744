import * as v0 from 'pail-v0'
import * as v0Batch from 'pail-v0/batch'
import * as v0Shard from 'pail-v0/shard'
import * as v1 from 'pail-v1'
import * as v1Batch from 'pail-v1/batch'
import * as v1Shard from 'pail-v1/shard'

/** The two implementations, by the name of the format that they write. */
export const pails = {
  v0: { ...v0, batch: v0Batch.create, empty: v0Shard.ShardBlock.create, decode: v0Shard.decodeBlock },
  v1: { ...v1, batch: v1Batch.create, empty: v1Shard.ShardBlock.create, decode: v1Shard.decodeBlock }
}

/** All entries, as JSON has them. */
export async function entries (pail, blocks, root) {
  const found = []
  for await (const [key, value] of pail.entries(blocks, root)) {
    found.push({ key, value: value.toString() })
  }
  return found
}
