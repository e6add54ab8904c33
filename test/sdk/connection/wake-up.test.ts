import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { createFakeGame, reach } from '../support/fake-session.ts'

/** An event target with the API of a page. */
const createTarget = () => {
  const listeners = new Map<string, Set<() => void>>()
  const of = (name: string) => listeners.get(name) ?? new Set()
  return {
    addEventListener: (name: string, act: () => void) => void listeners.set(name, of(name).add(act)),
    removeEventListener: (name: string, act: () => void) => void of(name).delete(act),
    tell: (name: string) => {
      for (const act of [...of(name)]) act()
    },
    count: () => [...listeners.values()].reduce((sum, { size }) => sum + size, 0),
  }
}

let game: ReturnType<typeof createFakeGame>
let page: ReturnType<typeof createTarget>
let shown: ReturnType<typeof createTarget> & { visibilityState: string }
beforeEach(() => {
  game = createFakeGame()
  page = createTarget()
  shown = { ...createTarget(), visibilityState: 'visible' }
  const { addEventListener, removeEventListener } = page
  Object.assign(globalThis, { addEventListener, removeEventListener, document: shown })
})
afterEach(async () => {
  await game.close()
  for (const name of ['addEventListener', 'removeEventListener', 'document']) Reflect.deleteProperty(globalThis, name)
})

/** A session that waits to reconnect until the test continues it. */
const waiting = async () => {
  const session = await game.enter()
  game.server.cut()
  await reach(session, 'waiting')
  return session
}

describe('a session in a page that waits to reconnect', () => {
  it('reconnects at once when the network is back', async () => {
    const session = await waiting()
    page.tell('online')
    await reach(session, 'live')
  })

  it('reconnects at once when the page is visible again, and not when it is hidden', async () => {
    const session = await waiting()
    shown.visibilityState = 'hidden'
    shown.tell('visibilitychange')
    expect(session.state().name).toBe('waiting')
    shown.visibilityState = 'visible'
    shown.tell('visibilitychange')
    await reach(session, 'live')
  })

  it('keeps a delay of the server', async () => {
    const session = await game.enter()
    game.server.kick({ code: 'full', retryAfterSeconds: 5 }, 1013)
    await reach(session, 'waiting')
    page.tell('online')
    expect(session.state().name).toBe('waiting')
  })

  it('removes its listeners once it is closed', async () => {
    const session = await waiting()
    expect(page.count() + shown.count()).toBe(2)
    await session.close()
    expect(page.count() + shown.count()).toBe(0)
  })
})
