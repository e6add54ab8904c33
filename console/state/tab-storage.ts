/** Storage of this tab. Returns nothing if the browser blocks storage and throws on access. */
const attempt = <T>(ask: (storage: Storage) => T): T | undefined => {
  try {
    return ask(sessionStorage)
  } catch {
    return undefined
  }
}

export const tabStorage = {
  find: (key: string): string | undefined => attempt((storage) => storage.getItem(key)) ?? undefined,
  keep: (key: string, value: string): void => attempt((storage) => storage.setItem(key, value)),
  remove: (key: string): void => attempt((storage) => storage.removeItem(key)),
  listKeys: (): readonly string[] => attempt((storage) => Object.keys(storage)) ?? [],
}
