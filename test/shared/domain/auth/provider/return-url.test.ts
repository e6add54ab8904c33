import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { describeReturnUrlProblem, matchReturnUrl } from '../../../../../shared/domain/auth/provider/return-url.ts'

const allowed = ['https://game.example.org/play', 'https://other.example.org', 'http://127.0.0.1/', 'http://[::1]:4000/in/']

describe('matchReturnUrl', () => {
  it.each([
    ['https://game.example.org/play'],
    ['https://game.example.org/play/'],
    ['https://game.example.org/play/room?a=1&b=%2F..%2f'],
    ['https://game.example.org/play?x=//evil.example'],
    ['https://game.example.org/play/caf%C3%A9%20one?x=%zz'],
    ['HTTPS://GAME.example.org/play', 'https://game.example.org/play'],
    ['https://game.example.org:443/play', 'https://game.example.org/play'],
    ['https://game.example.org/play/a/../b', 'https://game.example.org/play/b'],
    ['https://game.example.org/x/../play', 'https://game.example.org/play'],
    ['https://other.example.org', 'https://other.example.org/'],
    ['https://other.example.org/anything'],
    ['http://127.0.0.1/'],
    ['http://127.0.0.1:53123/back?x=1'],
    ['http://[::1]:4000/in/side'],
  ])('accepts %s in its normal form', (url, normal = url) => {
    expect(matchReturnUrl(url, allowed)).toBe(normal)
  })

  it.each([
    ['nothing', ''],
    ['a path', '/play'],
    ['no scheme', '//game.example.org/play'],
    ['another host', 'https://evil.example/play'],
    ['a longer host', 'https://game.example.org.evil.example/play'],
    ['a shorter host', 'https://example.org/play'],
    ['a host with a trailing dot', 'https://game.example.org./play'],
    ['another port', 'https://game.example.org:8443/play'],
    ['plain HTTP', 'http://game.example.org/play'],
    ['another path', 'https://game.example.org/player'],
    ['a path above', 'https://game.example.org/'],
    ['a path that leaves the prefix', 'https://game.example.org/play/../admin'],
    ['the same in disguise', 'https://game.example.org/play/%2e%2e/admin'],
    ['the same in half a disguise', 'https://game.example.org/play/.%2E/admin'],
    ['an encoded slash', 'https://game.example.org/play%2f..%2fadmin'],
    ['an encoded backslash', 'https://game.example.org/play/%5c..%5cadmin'],
    ['encoding of encoding', 'https://game.example.org/play/%252e%252e/admin'],
    ['an encoded line break', 'https://game.example.org/play/%0d%0aSet-Cookie:a=b'],
    ['an empty part of the path', 'https://game.example.org/play//evil.example'],
    ['a matrix parameter', 'https://game.example.org/play;x'],
    ['a user name', 'https://game.example.org@evil.example/play'],
    ['a user name at the right host', 'https://somebody@game.example.org/play'],
    ['a password', 'https://a:b@game.example.org/play'],
    ['an empty user name', 'https://@game.example.org/play'],
    ['a backslash for a slash', 'https:\\\\game.example.org\\play'],
    ['a backslash before the host', 'https://evil.example\\@game.example.org/play'],
    ['a backslash in the path', 'https://game.example.org/play\\..\\admin'],
    ['a dot segment after a path parameter', 'https://game.example.org/play/..;/admin'],
    ['one that stays', 'https://game.example.org/play/.;a=b/admin'],
    ['a dot in two bytes', 'https://game.example.org/play/%c0%ae%C0%AE/admin'],
    ['a dot in three bytes', 'https://game.example.org/play/%e0%80%ae%e0%80%ae/admin'],
    ['a dot in four bytes', 'https://game.example.org/play/%f0%80%80%ae/admin'],
    ['an encoding that appears after decoding', 'https://game.example.org/play/%%32%65%%32%65/admin'],
    ['a rare encoding', 'https://game.example.org/play/%u002e%u002e/admin'],
    ['half an encoding', 'https://game.example.org/play/%2'],
    ['a host with a dot at its end', 'https://game.example.org./play'],
    ['a host with an encoded dot', 'https://game.example.org%2eevil.example/play'],
    ['an IPv4-mapped IPv6 address', 'http://[::ffff:127.0.0.1]/'],
    ['three slashes', 'https:///game.example.org/play'],
    ['no slashes', 'https:game.example.org/play'],
    ['a fragment', 'https://game.example.org/play#token=mine'],
    ['an empty fragment', 'https://game.example.org/play#'],
    ['a space', 'https://game.example.org/play /x'],
    ['a space in front', ' https://game.example.org/play'],
    ['a tab that browsers remove', 'https://game.example.org/pl\tay'],
    ['a line break', 'https://game.example.org/play\r\nSet-Cookie: a=b'],
    ['NUL', 'https://game.example.org/play\0'],
    ['letters that look alike', 'https://gаme.example.org/play'],
    ['a full-width slash', 'https://evil.example／game.example.org/play'],
    ['javascript', 'javascript://game.example.org/play%0aalert(1)'],
    ['data', 'data:text/html,x'],
    ['a scheme of an app', 'gatehouse://game.example.org/play'],
    ['a file', 'file:///play'],
    ['a number that is another loopback address', 'http://2130706434/'],
    ['another loopback address', 'http://127.0.0.2/'],
    ['localhost for the address', 'http://localhost/'],
    ['loopback by HTTPS', 'https://127.0.0.1/'],
    ['another port of an entry with a port', 'http://[::1]:4001/in/'],
    ['2,049 characters', `https://game.example.org/play/${'x'.repeat(2049 - 30)}`],
  ])('refuses %s', (_what, url) => {
    expect(() => matchReturnUrl(url, allowed)).toThrow(
      expect.objectContaining({ kind: 'invalid', slug: 'return-url-not-allowed' }),
    )
  })

  it('does not match an HTTPS entry with another port, or with HTTP', () => {
    for (const url of ['http://localhost:99/', 'https://localhost:99/', 'http://localhost/'])
      expect(() => matchReturnUrl(url, ['https://localhost/'])).toThrow(/allowedReturnUrls/)
  })

  it('accepts nothing without entries', () => {
    expect(() => matchReturnUrl('https://game.example.org/play', [])).toThrow(/auth.oauth.allowedReturnUrls/)
  })

  it('returns for any input only addresses that browsers resolve to an allowed place', () => {
    const pieces = [
      ...['https://', 'http://', 'game.example.org', 'evil.example', '/play', '/', '//', '\\', '@', ':', '..', '.', '%2e', '%2f'],
      ...['%5c', '%25', '?', '#', ' ', '\t', '\n', '\0', 'é', '；', '127.0.0.1', '[::1]', ':443', ':4000', ';', '&', 'a'],
    ]
    const texts = fc
      .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 3 })), { maxLength: 10 })
      .map((all) => all.join(''))
    const urls = fc.oneof(
      texts,
      texts.map((text) => `https://game.example.org/play${text}`),
      fc.webUrl(),
    )
    fc.assert(
      fc.property(urls, (text) => {
        let match: string
        try {
          match = matchReturnUrl(text, allowed)
        } catch {
          return
        }
        const url = new URL(match)
        // A page gets the same URL whether it compares the text or parses it again.
        expect(url.href).toBe(match)
        expect(matchReturnUrl(match, allowed)).toBe(match)
        expect(match).toMatch(/^[!-~]+$/)
        expect(match).not.toMatch(/[#\\]/)
        expect(['game.example.org', 'other.example.org', '127.0.0.1', '[::1]']).toContain(url.hostname)
        if (url.hostname === 'game.example.org') expect(url.pathname).toMatch(/^\/play(?:\/|$)/)
        expect(url.pathname).not.toMatch(/\/\.{0,2}\/|%(?:2e|2f|5c|25)/i)
      }),
      { numRuns: 3000 },
    )
  })
})

describe('an entry of allowedReturnUrls', () => {
  it.each([...allowed, 'https://game.example.org:8443/a/b', 'http://localhost:5173'])('can be %s', (entry) => {
    expect(describeReturnUrlProblem(entry)).toBeUndefined()
  })

  it.each([
    'game.example.org',
    'http://game.example.org/',
    'https://*.example.org/',
    'https://game.example.org/*',
    'https://game.example.org/?a=1',
    'https://game.example.org/?',
    'https://game.example.org/#x',
    'https://a@game.example.org/',
    'https://game.example.org/a%2fb',
    'gatehouse://back',
    '',
  ])('cannot be %s', (entry) => {
    expect(describeReturnUrlProblem(entry)).toContain(entry)
  })
})
