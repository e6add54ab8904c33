/** Keys that identify an entry of a list in a config file; the first match is used. */
const identityKeys = ['id', 'name', 'attack', 'block'] as const

type Identify = (entry: unknown) => unknown

const isScalar = (entry: unknown): boolean => typeof entry === 'string' || typeof entry === 'number'

const isUnique = (names: readonly unknown[]): boolean => names.every(isScalar) && new Set(names).size === names.length

const identifyBy =
  (key: string): Identify =>
  (entry) => {
    const found = typeof entry === 'object' && entry !== null ? Object.getOwnPropertyDescriptor(entry, key) : undefined
    return found?.value
  }

const itself: Identify = (entry) => entry

/** How to match the entries of two versions of a list: words and numbers by themselves, objects by a key. Undefined if no way is unique. */
export const findIdentity = (lists: readonly (readonly unknown[])[]): Identify | undefined =>
  [itself, ...identityKeys.map(identifyBy)].find((identify) => lists.every((list) => isUnique(list.map(identify))))
