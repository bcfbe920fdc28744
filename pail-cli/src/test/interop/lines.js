/** One JSON value a line. Not node:readline, which also ends lines at U+2028 and U+2029, and keys may have those. */
export async function * read (input) {
  let rest = ''
  input.setEncoding('utf8')
  for await (const chunk of input) {
    const parts = (rest + chunk).split('\n')
    rest = parts.pop()
    for (const line of parts) yield JSON.parse(line)
  }
}

export function write (value) {
  process.stdout.write(JSON.stringify(value) + '\n')
}
