/** The entry of that name, or undefined; what every object inherits, such as `constructor`, is no entry. */
export const findOwn = <T>(entries: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(entries, name) ? entries[name] : undefined
