import type { Page } from 'playwright-core'

/** Counts open resources of a page: timers, sockets, listeners of the window and the document, and unhandled rejections. */
export const countOpen = `(() => {
  const timers = new Set()
  const sockets = new Set()
  const listeners = new Map()
  const faults = []
  for (const [start, stop, isOnce] of [['setTimeout', 'clearTimeout', true], ['setInterval', 'clearInterval', false]]) {
    const [begin, end] = [window[start], window[stop]]
    window[start] = (act, ms, ...rest) => {
      const timer = begin(() => {
        if (isOnce) timers.delete(timer)
        act(...rest)
      }, ms)
      timers.add(timer)
      return timer
    }
    window[stop] = (timer) => {
      timers.delete(timer)
      end(timer)
    }
  }
  const RealSocket = window.WebSocket
  window.WebSocket = class extends RealSocket {
    constructor(...given) {
      super(...given)
      sockets.add(this)
    }
  }
  const { addEventListener, removeEventListener } = EventTarget.prototype
  const count = (target, name, by) => {
    if (target === window || target === document || target == null) listeners.set(name, (listeners.get(name) ?? 0) + by)
  }
  EventTarget.prototype.addEventListener = function (...given) {
    count(this, given[0], 1)
    return addEventListener.apply(this ?? window, given)
  }
  EventTarget.prototype.removeEventListener = function (...given) {
    count(this, given[0], -1)
    return removeEventListener.apply(this ?? window, given)
  }
  addEventListener.call(window, 'unhandledrejection', ({ reason }) => faults.push(String(reason)))
  window.listOpen = () => ({
    timers: timers.size,
    sockets: [...sockets].filter(({ readyState }) => readyState < 2).length,
    socketsEver: sockets.size,
    listeners: Object.fromEntries([...listeners].filter(([, open]) => open !== 0)),
    faults,
  })
})()`

export type Open = {
  readonly timers: number
  readonly sockets: number
  readonly socketsEver: number
  readonly listeners: Readonly<Record<string, number>>
  /** Unhandled rejections. */
  readonly faults: readonly string[]
}

export const listOpen = (page: Page): Promise<Open> => page.evaluate('listOpen()')

/** Waits until a closed socket is gone and the browser has reported rejections. */
export const settle = async (page: Page): Promise<void> => {
  await page.waitForFunction('listOpen().sockets === 0')
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => resolve(undefined)))')
}
