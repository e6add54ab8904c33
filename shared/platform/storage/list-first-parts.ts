import type { Collection, Store } from './store.ts'
import { cursorAfter } from './store-rules.ts'

/** The distinct parts of ids between `base` and the next slash, in order. Costs one read for each, however many records it has. */
export const listFirstParts = async (store: Pick<Store, 'list'>, name: string, base = ''): Promise<readonly string[]> => {
  const collection: Collection<unknown> = { name, parse: (stored) => stored }
  const parts: string[] = []
  let after: string | undefined
  for (;;) {
    const page = await store.list(collection, {
      prefix: base,
      limit: 1,
      ...(after !== undefined && { cursor: cursorAfter(after) }),
    })
    const [first] = page.records
    if (first === undefined) return parts
    const [part = ''] = first.id.slice(base.length).split('/', 1)
    parts.push(part)
    // `0` is the character after the slash.
    after = `${base}${part}0`
  }
}
