import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { checkNewEmail, normalizeEmail, parseEmail } from '../../../../shared/domain/accounts/email.ts'

const emailLengthMax = 254

describe('emails', () => {
  it.each([
    ['ann@example.com', 'ann@example.com'],
    ['  Ann.Lee+Game@Example.COM\n', 'ann.lee+game@example.com'],
    ['root@localhost', 'root@localhost'],
    ["o'brien@a-b.example", "o'brien@a-b.example"],
    ['JOSE\u0301@EXAMPLE.ORG', 'jos\u00e9@example.org'],
    ['用户@例子.广告', '用户@xn--fsqu00a.xn--4rr70v'],
    ['ann@MÜNCHEN.de', 'ann@xn--mnchen-3ya.de'],
    ['ann@xn--mnchen-3ya.DE', 'ann@xn--mnchen-3ya.de'],
    ['ann@mu\u0308nchen。de', 'ann@xn--mnchen-3ya.de'],
    ['ann@ｅxample.com', 'ann@example.com'],
    ['ann@127.1', 'ann@127.1'],
  ])('reads %j as %j', (text, email) => {
    expect(parseEmail(text)).toBe(email)
  })

  it.each([
    '',
    ' ',
    'ann',
    '@example.com',
    'ann@',
    'ann@@example.com',
    'ann@b@example.com',
    'ann lee@example.com',
    'ann@exa mple.com',
    'ann@.com',
    'ann@example.',
    'ann@-example.com',
    'ann\u0000@example.com',
    'ann\u200b@example.com',
    'ann\ud800@example.com',
    '\u0301@example.com',
    'a\u3164@example.com',
    '"ann"@example.com',
    'ann@[127.0.0.1]',
  ])('refuses %j', (text) => {
    expect(normalizeEmail(text)).toBeUndefined()
  })

  it('reports the email field without its value', () => {
    expect(() => parseEmail('secret-thing')).toThrow(
      expect.objectContaining({
        kind: 'invalid',
        slug: 'bad-request',
        errors: [{ pointer: '/email', message: expect.not.stringContaining('secret-thing') }],
      }),
    )
  })

  it.each([
    ['a', '@example.com', ''],
    ['b', '.com', 'a@'],
    ['字', '@例子.广告', ''],
  ])('accepts 254 characters and no more, in either part: %s', (filler, end, start) => {
    const filled = (length: number) => start + filler.repeat(length - start.length - end.length) + end
    expect(normalizeEmail(filled(emailLengthMax))).toBeDefined()
    expect(normalizeEmail(filled(emailLengthMax + 1))).toBeUndefined()
  })

  it.each([
    ['b', 241],
    ['é', 121],
    ['字', 80],
    ['\u{20000}', 60],
  ])('allows 254 bytes and no more for a new account: of %s, %i times', (filler, count) => {
    const rest = '@example.com'
    const most = filler.repeat(count) + 'a'.repeat(254 - Buffer.byteLength(filler.repeat(count) + rest)) + rest
    expect(() => checkNewEmail(parseEmail(most))).not.toThrow()
    expect(() => checkNewEmail(`a${most}`)).toThrow(
      expect.objectContaining({
        kind: 'invalid',
        errors: [{ pointer: '/email', message: expect.stringContaining('254 bytes') }],
      }),
    )
  })

  it('normalizes a normalized email to itself', () => {
    const part = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(part, part, (local, domain) => {
        const email = normalizeEmail(`${local}@${domain}`)
        if (email !== undefined) expect(normalizeEmail(email)).toBe(email)
      }),
    )
  })
})
