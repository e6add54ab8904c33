import type { ConfigChange } from '../../../shared/domain/configs/compare/config-impact-schema.ts'
import { findIdentity } from '../../../shared/domain/configs/compare/list-identity.ts'

const steps = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))

type Holder = Record<string, unknown>

const isObject = (value: unknown): value is Holder => typeof value === 'object' && value !== null

const find = (document: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, step) => (isObject(value) ? value[step] : undefined), document)

const inOrder = (list: readonly unknown[], names: readonly unknown[]): unknown[] => {
  const identify = findIdentity([list]) ?? ((entry: unknown) => entry)
  return [...list].sort((one, other) => names.indexOf(identify(one)) - names.indexOf(identify(other)))
}

/** Applies changes to `document`, as a client of the API would. */
export const applyChanges = (document: unknown, changes: readonly ConfigChange[]): unknown => {
  const root: Holder = { document: structuredClone(document) }
  const holderOf = (pointer: string) => {
    const path = ['document', ...steps(pointer)]
    const holder = find(root, path.slice(0, -1))
    if (!isObject(holder)) throw new Error(`nothing holds ${pointer}`)
    return { holder, step: path.at(-1) ?? '' }
  }
  // Pointers of removed values refer to the old content. The last comes first, so that earlier ones stay valid.
  for (const { pointer } of changes.filter(({ to }) => to === null).reverse()) {
    const { holder, step } = holderOf(pointer)
    if (Array.isArray(holder)) holder.splice(Number(step), 1)
    else delete holder[step]
  }
  for (const { pointer, from, to } of changes.filter(({ to }) => to !== null)) {
    const { holder, step } = holderOf(pointer)
    const current = holder[step]
    if (Array.isArray(current) && Array.isArray(to)) holder[step] = inOrder(current, to)
    else if (Array.isArray(holder) && from === null) holder.splice(Number(step), 0, structuredClone(to))
    else holder[step] = structuredClone(to)
  }
  return root.document
}
