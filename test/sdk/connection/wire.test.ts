import { expect, it } from '@jest/globals'
import { openWire } from '../../../sdk/connection/wire.ts'
import { createHeldTimers } from '../support/fake-session.ts'

/** A connection to a silent server, and an adjustable clock. */
const openSilent = () => {
  const held = createHeldTimers()
  const state = { shiftMs: 0, ended: 0, asked: 0 }
  const socket = {
    readyState: 1,
    binaryType: '',
    addEventListener: () => undefined,
    send: () => undefined,
    close: () => undefined,
  }
  const wire = openWire({
    url: 'http://127.0.0.1:3000',
    open: () => socket,
    timers: { ...held.timers, now: () => held.timers.now() + state.shiftMs },
    onOpen: () => undefined,
    onData: () => undefined,
    ask: () => {
      state.asked += 1
    },
    onEnd: () => {
      state.ended += 1
    },
  })
  wire.settle()
  return { held, state }
}

it('closes a silent server half a minute after its last message', () => {
  const { held, state } = openSilent()
  held.advance(29_999)
  expect(state).toMatchObject({ asked: 1, ended: 0 })
  held.advance(1)
  expect(state).toMatchObject({ asked: 1, ended: 1 })
})

it('does so at most 15 s later when the clock was set back', () => {
  const { held, state } = openSilent()
  state.shiftMs = -3_600_000
  held.advance(45_000)
  expect(state).toMatchObject({ asked: 1, ended: 1 })
})
