import type { Path } from '../schema.ts'

type Line = { readonly indent: number; readonly column: number; readonly key: string | undefined }

const keyPattern = /^(?:"([^"]*)"|'([^']*)'|([^\s#'"[\]{}-][^:#]*?))\s*:(?:\s|$)/

/** A line of block style: its indent, the column where its content begins behind dashes, and the key there. */
export const readLine = (text: string): Line => {
  const [, spaces = '', dashes = '', content = ''] = /^(\s*)((?:-(?:\s+|$))*)(.*)$/.exec(text) ?? []
  const [, double, single, plain] = keyPattern.exec(content) ?? []
  return { indent: spaces.length, column: spaces.length + dashes.length, key: double ?? single ?? plain }
}

const isSkipped = (text: string): boolean => /^\s*(#.*)?$/.test(text)

/**
 * The path of a line in block style, by indent alone, because text that is being typed may not be valid YAML. Items of a list all have
 * the index 0. `lines` are the lines above.
 */
export const findPath = (lines: readonly string[], text: string): Path => {
  const path: (string | number)[] = []
  const { indent, column } = readLine(text)
  let limit = column
  const enterItem = (dashAt: number) => {
    path.unshift(0)
    limit = dashAt + 1
  }
  if (column > indent) enterItem(indent)
  for (let at = lines.length - 1; at >= 0 && limit > 0; at -= 1) {
    const above = lines[at] ?? ''
    if (isSkipped(above)) continue
    const line = readLine(above)
    const isItem = line.column > line.indent
    if (line.key !== undefined && line.column < limit) {
      path.unshift(line.key)
      limit = line.column
      if (isItem) enterItem(line.indent)
    } else if (isItem && line.column === limit) enterItem(line.indent)
  }
  return path
}
