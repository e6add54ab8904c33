/** What this tab keeps until it is closed. A browser that blocks the data of pages keeps nothing, and throws where it is asked. */
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
