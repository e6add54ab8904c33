import { isAlias, isMap, isNode, isScalar, isSeq } from 'yaml'
import { linePosition, type YamlSource } from './yaml-faults.ts'

const parsePointer = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))

type Step = { readonly node: unknown; readonly offset: number }

const stepInto = (node: unknown, part: string): Step | undefined => {
  if (isMap(node)) {
    const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === part)
    return pair && isNode(pair.key) && pair.key.range ? { node: pair.value, offset: pair.key.range[0] } : undefined
  }
  const item = isSeq(node) ? node.items[Number(part)] : undefined
  return isNode(item) && item.range ? { node: item, offset: item.range[0] } : undefined
}

/**
 * Line and column (from 1) of what a JSON Pointer (RFC 6901) points at: the key in a mapping, the item in a list; of the nearest
 * thing around it where there is no such thing in the text.
 */
export const locatePointer = ({ document, lines }: YamlSource, pointer: string): { line: number; column: number } => {
  let node: unknown = document.contents
  let offset = document.contents?.range[0] ?? 0
  for (const part of parsePointer(pointer)) {
    const step = stepInto(isAlias(node) ? node.resolve(document) : node, part)
    if (step === undefined) break
    ;({ node, offset } = step)
  }
  return linePosition(lines, offset)
}
