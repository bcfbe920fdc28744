// ipfs-car.js ARGUMENT...: runs the command ipfs-car and prints {"status", "out", "err"}.
import { spawnSync } from 'node:child_process'
import { write } from './lines.js'

const command = 'node_modules/ipfs-car/bin.js'
const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...process.argv.slice(2)], { encoding: 'utf8' })
write({ status, out: stdout, err: stderr })
