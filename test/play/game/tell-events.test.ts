import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { tellEvents } from '../../../play/game/tell-events.ts'
import { createHud } from '../../../play/state/hud.ts'
import type { Kick, Session, SessionState } from '../../../sdk/client.ts'

beforeEach(() => {
  Object.assign(globalThis, { matchMedia: () => ({ matches: false, addEventListener: () => undefined }) })
})
afterEach(() => {
  Reflect.deleteProperty(globalThis, 'matchMedia')
})

/** A session with events of a test, and the texts that the game shows. */
const open = () => {
  const listeners = new Map<string, (value: unknown) => void>()
  const welcome = { blocks: [], commands: [], displayName: 'ann', groups: ['player'], grants: [], mayFly: false }
  const session = {
    welcome: () => welcome,
    on: (name: string, act: (value: unknown) => void) => {
      listeners.set(name, act)
      return () => listeners.delete(name)
    },
  } as unknown as Session
  const hud = createHud()
  tellEvents(session, hud, {
    play: () => undefined,
    setVolume: () => undefined,
    setPaused: () => undefined,
    close: () => undefined,
  })
  return {
    curtain: () => hud.curtain.value,
    kick: (kick: Partial<Kick>) => listeners.get('kick')?.({ code: 'kicked', reason: '', ...kick }),
    enter: (...states: SessionState[]) => {
      for (const state of states) listeners.get('state')?.(state)
    },
  }
}

it('ends with the text of the Kick that closed the connection', () => {
  const { curtain, kick, enter } = open()
  kick({ code: 'banned', reason: 'griefing' })
  enter({ name: 'ended', reason: 'banned', text: 'You were kicked (griefing)' })
  expect(curtain()).toEqual({ kind: 'ended', title: 'You are banned for good', text: 'griefing' })
})

it('ends with the real reason, whatever Kick closed an earlier connection', () => {
  const { curtain, kick, enter } = open()
  kick({ code: 'going-away', reason: 'The server is restarting.' })
  enter({ name: 'waiting', retryAt: 0, text: 'The server is going away.' }, { name: 'resuming' })
  enter({ name: 'ended', reason: 'account-banned', text: 'Banned. This account is banned: griefing (It has no end.)' })
  expect(curtain()).toEqual({
    kind: 'ended',
    title: 'You are banned',
    text: 'Banned. This account is banned: griefing (It has no end.)',
  })
})

it('shows the progress of a reconnection, and waits for the land afterwards', () => {
  const { curtain, enter } = open()
  enter({ name: 'waiting', retryAt: 7, text: 'The connection was lost.' })
  expect(curtain()).toEqual({ kind: 'lost', text: 'The connection was lost.', retryAt: 7 })
  enter({ name: 'resuming' })
  expect(curtain()).toMatchObject({ kind: 'lost', retryAt: undefined })
  enter({ name: 'live' })
  expect(curtain()).toEqual({ kind: 'loading' })
})
