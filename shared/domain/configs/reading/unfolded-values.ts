import { isAlias, isMap, isSeq } from 'yaml'
import { linePosition, type YamlSource } from './yaml-source.ts'

/** Values that aliases may add to a text. Hand-written lists of rules reach a few hundred. */
const repeatedMax = 10_000

/**
 * The position, from 1, of the alias by which a text expands to more than `repeatedMax` values; undefined if there is none. No alias of the
 * text may be inside its own anchor. The cost is one pass over the text.
 */
export const findTooMuchRepeated = ({ document, lines }: YamlSource): { line: number; column: number } | undefined => {
  const sizes = new Map<string, number>()
  let repeated = 0
  let at: number | undefined
  const sizeOf = (node: unknown): number => {
    if (isAlias(node)) {
      const size = sizes.get(node.source) ?? 1
      repeated += size
      if (repeated > repeatedMax) at ??= node.range?.[0]
      return size
    }
    const inner = isMap(node) ? node.items.map(({ value }) => value) : isSeq(node) ? node.items : []
    const size = inner.reduce<number>((sum, one) => sum + sizeOf(one), 1)
    const anchor = node !== null && typeof node === 'object' && 'anchor' in node ? node.anchor : undefined
    if (typeof anchor === 'string') sizes.set(anchor, size)
    return size
  }
  sizeOf(document.contents)
  return repeated > repeatedMax ? linePosition(lines, at ?? 0) : undefined
}
