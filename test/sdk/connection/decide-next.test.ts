import { describe, expect, it } from '@jest/globals'
import { decideNext } from '../../../sdk/connection/decide-next.ts'
import { ProblemError } from '../../../sdk/errors.ts'

const url = 'http://127.0.0.1:3000'
const closed = (code: number) => ({ code, reason: '' })

describe('the end of a connection to the game', () => {
  it.each([1001, 1006, 1009, 1011, 1013, 4008, 4029])('with %i leads to a resume after a wait', (code) => {
    expect(decideNext(closed(code), url, 'token')).toMatchObject({ token: 'same', wait: 'jitter', atLeastMs: 0 })
  })

  it.each([
    [1002, /did not understand/],
    [4001, /from somewhere else/],
    [4002, /another version/],
    [4003, /kicked/],
  ])('with %i stops with a readable reason', (code, text) => {
    expect(decideNext(closed(code), url, 'token')).toEqual({
      over: { reason: expect.any(String), text: expect.stringMatching(text) },
    })
  })

  it('leads to the token when the session is lost, then to a fresh one, and then stops', () => {
    expect(decideNext(closed(1008), url, 'resume-token')).toMatchObject({ token: 'same', wait: 'none' })
    expect(decideNext(closed(1008), url, 'token')).toMatchObject({ token: 'fresh', wait: 'none' })
    expect(decideNext(closed(1008), url, 'fresh-token')).toMatchObject({ over: { reason: 'sign-in-refused' } })
  })

  it('leads to the address of a hand-over', () => {
    const kick = { code: 'going-away', reason: 'Elsewhere.', resumeUrl: 'http://127.0.0.1:3001', retryAfterMs: 120 }
    expect(decideNext({ ...closed(1001), kick }, url, 'token')).toMatchObject({
      token: 'same',
      wait: 'exact',
      url: 'http://127.0.0.1:3001',
      atLeastMs: 120,
      text: expect.stringContaining('(Elsewhere.)'),
    })
  })

  it.each([
    ['without encryption, from a server that has it', 'http://127.0.0.1:3001'],
    ['outside the web', 'file:///etc/passwd'],
    ['not an address', 'elsewhere'],
  ])('keeps the address when the new one is %s', (_what, resumeUrl) => {
    const kick = { code: 'going-away', reason: 'Elsewhere.', resumeUrl }
    const decided = decideNext({ ...closed(1001), kick }, 'https://play.example.com', 'token')
    expect(decided).toMatchObject({ wait: 'jitter' })
    expect(decided).not.toHaveProperty('url')
  })

  it('waits at most a day, whatever delay the server sends', () => {
    const kick = { code: 'going-away', reason: 'Elsewhere.', retryAfterSeconds: 4_294_967_295 }
    expect(decideNext({ ...closed(1001), kick }, url, 'token')).toMatchObject({ atLeastMs: 86_400_000 })
    const handOver = { code: 'going-away', reason: '', resumeUrl: 'http://127.0.0.1:3001', retryAfterMs: 4_294_967_295 }
    expect(decideNext({ ...closed(1001), kick: handOver }, url, 'token')).toMatchObject({ wait: 'exact', atLeastMs: 86_400_000 })
    const problem = { type: '/problems/unavailable', title: 'Away', status: 503, retryAfterSeconds: 3_000_000 }
    const refusal = new ProblemError(problem)
    expect(decideNext({ ...closed(1006), refusal }, url, 'token')).toMatchObject({ atLeastMs: 86_400_000 })
  })

  it('names an unknown code', () => {
    expect(decideNext(closed(4999), url, 'token')).toMatchObject({ text: expect.stringContaining('code 4999') })
  })
})
