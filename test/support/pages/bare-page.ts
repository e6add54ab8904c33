/** A minimal page for modules of the console in tests without a browser. */
export const openBarePage = (): { readonly kept: Map<string, string>; close(): void } => {
  const kept = new Map<string, string>()
  const timers = new Set<NodeJS.Timeout>()
  const { setInterval } = globalThis
  const sessionStorage = new Proxy(
    {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
      removeItem: (key: string) => void kept.delete(key),
    },
    {
      ownKeys: () => [...kept.keys()],
      getOwnPropertyDescriptor: (_, key) => (kept.has(String(key)) ? { enumerable: true, configurable: true } : undefined),
    },
  )
  const location = new URL('http://console.invalid/console')
  const globals = {
    sessionStorage,
    localStorage: undefined,
    BroadcastChannel: undefined,
    location,
    history: { state: null, replaceState: () => undefined, pushState: () => undefined },
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
    // No timer outlives the test.
    setInterval: (...args: Parameters<typeof setInterval>) => {
      const timer = setInterval(...args)
      timers.add(timer)
      return timer
    },
  }
  for (const [name, value] of Object.entries(globals))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
  return {
    kept,
    close: () => {
      for (const timer of timers) clearInterval(timer)
    },
  }
}
