// pail-command.js FORMAT ARGUMENT...: runs the command of an npm package and prints {"status", "out", "err"}.
import { spawnSync } from 'node:child_process'
import { write } from './lines.js'

const commands = { v0: 'node_modules/pail-v0/cli.js', v1: 'node_modules/pail-v1/dist/cli.js' }
const [format, ...options] = process.argv.slice(2)
const { status, stdout, stderr } = spawnSync(process.execPath, [commands[format], ...options], { encoding: 'utf8' })
write({ status, out: stdout, err: stderr })
