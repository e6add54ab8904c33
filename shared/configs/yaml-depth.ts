import { type CST, Parser } from 'yaml'

type Visit = { readonly token: CST.Token; readonly depth: number }

const listInner = (token: CST.Token): (CST.Token | null | undefined)[] => {
  if (token.type === 'document') return [token.value]
  return 'items' in token ? token.items.flatMap(({ key, value }) => [key, value]) : []
}

/**
 * Whether collections of a YAML text stand inside each other deeper than `depthMax`; neither throws nor recurses. Ask before
 * composing: the library's composer recurses, and V8 ends the process when a regular expression is compiled where the stack ends.
 */
export const isNestedDeeper = (text: string, depthMax: number): boolean => {
  const visits: Visit[] = []
  for (const token of new Parser().parse(text)) visits.push({ token, depth: 0 })
  for (let visit = visits.pop(); visit !== undefined; visit = visits.pop()) {
    const { token, depth } = visit
    if (depth > depthMax) return true
    for (const inner of listInner(token)) if (inner) visits.push({ token: inner, depth: depth + 1 })
  }
  return false
}
