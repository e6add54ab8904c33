import { describe, expect, it } from '@jest/globals'
import { decideAfterClose } from '../../../../infra/play/client/decide-after-close.ts'

const inGame = { leaving: false, wasIn: true, resuming: false, failures: 0, url: 'http://127.0.0.1:3000' }
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

  it('goes where the session was handed over to, when it is told to', () => {
    const kick = { code: 'going-away', reason: 'Elsewhere.', resumeUrl: 'http://127.0.0.1:3001', retryAfterMs: 120 }
    expect(decideAfterClose({ ...closed(1001), kick }, { ...inGame, failures: 3 })).toMatchObject({
      ...{ again: true, with: 'resume-token', url: 'http://127.0.0.1:3001', afterMs: 120 },
      text: expect.stringContaining('(Elsewhere.)'),
    })
  })

  it.each([
    ['without encryption, from a server that has it', 'http://127.0.0.1:3001'],
    ['that is none of the web', 'file:///etc/passwd'],
    ['that is no address', 'elsewhere'],
  ])('stays where it was when it is sent to an address %s', (_what, resumeUrl) => {
    const kick = { code: 'going-away', reason: 'Elsewhere.', resumeUrl }
    const decided = decideAfterClose({ ...closed(1001), kick }, { ...inGame, url: 'https://play.example.com' })
    expect(decided).toMatchObject({ again: true, afterMs: 500 })
    expect(decided).not.toHaveProperty('url')
  })

  it('is content when the player left', () => {
    expect(decideAfterClose(closed(1000), inGame)).toEqual({ again: false, ok: true, text: 'You left.' })
    expect(decideAfterClose(closed(1006), { ...inGame, leaving: true })).toMatchObject({ again: false, ok: true })
  })
})
