import { type Alias, isAlias, isMap, isNode, isScalar, isSeq, type Node, visit, type YAMLMap } from 'yaml'
import { linePosition, type YamlSource } from './yaml-source.ts'

/** The keys of a JSON Pointer (RFC 6901). */
export const parsePointer = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))

type Step = { readonly node: unknown; readonly offset: number }

const listSteps = (map: YAMLMap): Map<string, Step> =>
  new Map(
    map.items.flatMap(({ key, value }): [string, Step][] =>
      isScalar(key) && key.range ? [[String(key.value), { node: value, offset: key.range[0] }]] : [],
    ),
  )

/** The target of each alias: the last anchor with its name. The library searches the whole document for each. */
const listAliased = ({ document }: YamlSource): Map<Alias, Node> => {
  const [anchored, aliased] = [new Map<string, Node>(), new Map<Alias, Node>()]
  visit(document, {
    Value: (_, node) => {
      if (node.anchor !== undefined) anchored.set(node.anchor, node)
    },
    Alias: (_, alias) => {
      const node = anchored.get(alias.source)
      if (node) aliased.set(alias, node)
    },
  })
  return aliased
}

/**
 * Finds line and column, from 1, of a JSON Pointer: of the key in a mapping, or of the item in a list. If the text has no such value, it
 * returns the position of the nearest parent. Caches its searches, so create it once for many pointers.
 */
export const createLocator = (source: YamlSource): ((pointer: string) => { line: number; column: number }) => {
  const { document, lines } = source
  const maps = new Map<YAMLMap, Map<string, Step>>()
  let aliased: Map<Alias, Node> | undefined

  const stepsOf = (map: YAMLMap): Map<string, Step> => {
    const steps = maps.get(map) ?? listSteps(map)
    maps.set(map, steps)
    return steps
  }
  const resolve = (node: unknown): unknown => {
    if (!isAlias(node)) return node
    aliased ??= listAliased(source)
    return aliased.get(node)
  }
  const stepInto = (node: unknown, part: string): Step | undefined => {
    if (isMap(node)) return stepsOf(node).get(part)
    const item = isSeq(node) ? node.items[Number(part)] : undefined
    return isNode(item) && item.range ? { node: item, offset: item.range[0] } : undefined
  }

  return (pointer) => {
    let node: unknown = document.contents
    let offset = document.contents?.range[0] ?? 0
    for (const part of parsePointer(pointer)) {
      const step = stepInto(resolve(node), part)
      if (step === undefined) break
      ;({ node, offset } = step)
    }
    return linePosition(lines, offset)
  }
}
