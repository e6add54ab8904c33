/** The event methods of a page or a window. */
type Listening = {
  addEventListener(name: string, listener: () => void): void
  removeEventListener(name: string, listener: () => void): void
}

/** The parts of `Storage` that this library uses. */
export type PageStorage = {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
}

/** The parts of `BroadcastChannel` that this library uses. */
type Channel = {
  addEventListener(name: 'message', listener: (event: object) => void): void
  postMessage(message: unknown): void
  close(): void
}

/** The parts of a page, of Node, or of a worker that this library uses. Each may be absent. */
export type Environment = {
  readonly addEventListener?: Listening['addEventListener']
  readonly removeEventListener?: Listening['removeEventListener']
  readonly document?: Listening & { readonly visibilityState: string; readonly title: string }
  readonly location?: { readonly href: string; readonly hash: string; assign(url: string): void }
  readonly history?: { readonly state: unknown; replaceState(state: unknown, title: string, url: string): void }
  /** Reading it throws if the browser blocks the data of pages. */
  readonly sessionStorage?: PageStorage
  readonly localStorage?: PageStorage
  readonly BroadcastChannel?: new (name: string) => Channel
  readonly WebSocket?: unknown
  readonly process?: { getBuiltinModule?(name: string): unknown }
}

/** Read when needed, so that an import of this library has no effects. */
export const environment = (): Environment => globalThis as Environment
