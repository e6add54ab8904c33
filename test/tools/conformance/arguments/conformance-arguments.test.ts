import { describe, expect, it } from '@jest/globals'
import { parseConformanceArguments } from '../../../../tools/conformance/arguments/conformance-arguments.ts'

const url = 'http://127.0.0.1:3000'

describe('the arguments of conformance', () => {
  it('need only the address to check public and refused operations', () => {
    const options = { url, credentials: { kind: 'none' }, write: 'nothing', only: undefined, json: false }
    expect(parseConformanceArguments(['--url', `${url}/`], {})).toEqual({ ok: true, options })
  })

  it('accept an address with a path of its own, and nothing after it', () => {
    expect(parseConformanceArguments(['--url', 'https://example.com/game/?q=1#top'], {})).toMatchObject({
      options: { url: 'https://example.com/game' },
    })
  })

  it.each([
    [
      ['--email', 'a@example.com', '--password', '-'],
      {},
      { kind: 'password', email: 'a@example.com', password: { from: 'stdin' } },
    ],
    [
      ['--email', 'a@example.com'],
      { GATEHOUSE_PASSWORD: 'pw' },
      { kind: 'password', email: 'a@example.com', password: { from: 'given', value: 'pw' } },
    ],
    [['--token', '-'], {}, { kind: 'token', token: { from: 'stdin' } }],
    [['--token', 'abc'], {}, { kind: 'token', token: { from: 'given', value: 'abc' } }],
  ])('name an administrator: %j', (args, env, credentials) => {
    expect(parseConformanceArguments(['--url', url, ...args], env)).toMatchObject({ ok: true, options: { credentials } })
  })

  it.each([
    [[], 'nothing'],
    [['--write'], 'what-goes-again'],
    [['--write=worlds'], 'worlds-too'],
  ])('define which writes are allowed: %j', (args, write) => {
    expect(parseConformanceArguments(['--url', url, '--token', '-', ...args], {})).toMatchObject({ ok: true, options: { write } })
  })

  it.each([
    [[], /--url/],
    [['--url', 'ftp://example.com'], /http/],
    [['--url', 'nonsense'], /http/],
    [['--url', url, '--email', 'a@example.com'], /GATEHOUSE_PASSWORD/],
    [['--url', url, '--email', 'a@example.com', '--password', 'top secret'], /standard input/],
    [['--url', url, '--password', '-'], /--email/],
    [['--url', url, '--email', 'a@example.com', '--token', 'top secret'], /not both/],
    [['--url', url, '--write'], /administrator/],
    [['--url', url, '--token', '-', '--write=all'], /--write=worlds/],
    [['--url', url, '--top', 'secret'], /option/],
    [['--url', url, 'top secret'], /option/],
  ])('are refused, with the reason and without a secret: %j', (args, reason) => {
    const parsed = parseConformanceArguments(args, {})
    expect(parsed).toMatchObject({ ok: false, reason: expect.stringMatching(reason) })
    expect(JSON.stringify(parsed)).not.toContain('secret')
  })
})
