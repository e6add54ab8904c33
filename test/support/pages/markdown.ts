import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The text of a page in docs/. */
export const readPage = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`../../../docs/${name}`, import.meta.url)), 'utf8').replaceAll('\r\n', '\n')

/** The commands in the only fenced block of `text` that begins with "```sh NAME". */
export const readCommands = (text: string, name: string): string => {
  const found = [...text.matchAll(/^```sh ([\w-]+)\n([\s\S]*?)^```$/gm)].filter(([, other]) => other === name)
  const [, , commands] = found[0] ?? []
  if (found.length !== 1 || commands === undefined) throw new Error(`there are ${found.length} blocks of commands named ${name}`)
  return commands
}

/** The text below a heading, up to the next one of its level or a higher one. */
export const readSection = (text: string, heading: string): string => {
  const level = /^#+/.exec(heading)?.[0].length ?? 0
  const lines = text.split('\n')
  const from = lines.indexOf(heading)
  if (from < 0) throw new Error(`there is no heading ${heading}`)
  const rest = lines.slice(from + 1)
  const to = rest.findIndex((line) => /^#+ /.test(line) && (/^#+/.exec(line)?.[0].length ?? 0) <= level)
  return rest.slice(0, to < 0 ? undefined : to).join('\n')
}

/** The cells of each row of the tables in `text`, without headers and rulers. */
export const readRows = (text: string): readonly (readonly string[])[] => {
  const rows: string[][] = []
  let inTable = false
  for (const line of text.split('\n')) {
    if (!line.startsWith('|')) inTable = false
    else if (/^\|[-| ]+\|$/.test(line)) inTable = true
    else if (inTable)
      rows.push(
        line
          .slice(1, -1)
          .split(/(?<!\\)\|/)
          .map((cell) => cell.trim().replaceAll('\\|', '|')),
      )
  }
  return rows
}
