const list = new Intl.ListFormat(undefined, { type: 'conjunction' })

/** "a, b and c". */
export const listNames = (names: readonly string[]): string => list.format(names)
