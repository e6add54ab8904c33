import type { CST } from 'yaml'

type Visit = { readonly token: CST.Token; readonly depth: number }

const listInner = (token: CST.Token): (CST.Token | null | undefined)[] => {
  if (token.type === 'document') return [token.value]
  return 'items' in token ? token.items.flatMap(({ key, value }) => [key, value]) : []
}

/**
 * Where the first collection stands that is inside of more than `depthMax` others; neither throws nor recurses. Ask before composing:
 * the library's composer recurses, and V8 ends the process when a regular expression is compiled where the stack ends.
 */
export const findTooDeep = (tokens: readonly CST.Token[], depthMax: number): number | undefined => {
  const visits: Visit[] = tokens.map((token) => ({ token, depth: 0 })).reverse()
  for (let visit = visits.pop(); visit !== undefined; visit = visits.pop()) {
    const { token, depth } = visit
    if (depth > depthMax) return token.offset
    for (const inner of listInner(token).reverse()) if (inner) visits.push({ token: inner, depth: depth + 1 })
  }
  return undefined
}
