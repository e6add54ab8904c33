import { describe, expect, it } from '@jest/globals'
import { decideAfterClose } from '../../../infra/play/decide-after-close.ts'

const inGame = { leaving: false, wasIn: true, resuming: false, failures: 0 }
const closed = (code: number) => ({ code, reason: '' })

describe('after a connection has ended', () => {
  it.each([1001, 1006, 1011, 1013, 4008])('comes back with the resume token after %i', (code) => {
    expect(decideAfterClose(closed(code), inGame)).toMatchObject({ again: true, with: 'resume-token', afterMs: 500 })
  })

  it.each([
    [1002, /did not understand/],
    [1008, /sign-in was refused/],
    [1009, /too large/],
    [4001, /from somewhere else/],
    [4002, /another version/],
    [4003, /kicked/],
    [4029, /Too many messages/],
    [4999, /code 4999/],
  ])('stops with the reason in words after %i', (code, text) => {
    expect(decideAfterClose(closed(code), inGame)).toEqual({ again: false, ok: false, text: expect.stringMatching(text) })
  })

  it('never tries again before it was in the game once', () => {
    expect(decideAfterClose(closed(1006), { ...inGame, wasIn: false })).toMatchObject({ again: false, ok: false })
  })

  it('uses the token when the session cannot be resumed', () => {
    expect(decideAfterClose(closed(1008), { ...inGame, resuming: true })).toMatchObject({
      again: true,
      with: 'token',
      afterMs: 0,
    })
  })

  it('waits twice as long each time up to ten seconds, or for as long as the server says, and gives up in the end', () => {
    const waits = [0, 1, 2, 3, 4, 5, 11].map((failures) => decideAfterClose(closed(1006), { ...inGame, failures }))
    expect(waits.map((wait) => wait.again && wait.afterMs)).toEqual([500, 1000, 2000, 4000, 8000, 10_000, 10_000])
    const kick = { code: 'going-away', reason: 'Restarting.', retryAfterSeconds: 30 }
    expect(decideAfterClose({ ...closed(1001), kick }, inGame)).toMatchObject({
      afterMs: 30_000,
      text: expect.stringContaining('(Restarting.)'),
    })
    expect(decideAfterClose(closed(1006), { ...inGame, failures: 12 })).toMatchObject({ again: false, ok: false })
  })

  it('is content when the player left', () => {
    expect(decideAfterClose(closed(1000), inGame)).toEqual({ again: false, ok: true, text: 'You left.' })
    expect(decideAfterClose(closed(1006), { ...inGame, leaving: true })).toMatchObject({ again: false, ok: true })
  })
})
