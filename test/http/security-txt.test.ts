import { describe, expect, it } from '@jest/globals'
import { doors } from './doors.ts'

const path = '/.well-known/security.txt'

describe.each(doors)('GET /.well-known/security.txt through %s', (_name, open) => {
  it('names the security mailbox of the host, and an expiry within a year', async () => {
    const { get, clock } = await open({ deps: { baseUrl: 'https://game.example.org' } })
    const { status, headers, text } = await get(path)
    expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8'])
    const fields = Object.fromEntries(
      text
        .trim()
        .split('\n')
        .map((line) => line.split(/: (.*)/s)),
    )
    expect(fields).toMatchObject({
      Contact: 'mailto:security@game.example.org',
      Canonical: 'https://game.example.org/.well-known/security.txt',
    })
    const ahead = Date.parse(fields.Expires) - clock.now()
    expect(ahead).toBeGreaterThan(30 * 86_400_000)
    expect(ahead).toBeLessThan(365 * 86_400_000)
  })

  it.each([
    'http://localhost:8080',
    'http://192.0.2.7',
    'http://[2001:db8::1]:8080',
    'http://gatehouse:8080',
    'http://a.localhost',
  ])('answers 404 without a contact when BASE_URL is %s', async (baseUrl) => {
    const answer = await (await open({ deps: { baseUrl } })).get(path)
    expect(answer).toMatchObject({ status: 404, body: { type: '/problems/not-found' } })
    expect(answer.body.detail).toContain('http.securityContact')
  })

  it('names the contact of server.yaml, without a canonical address on loopback', async () => {
    const securityContact = 'https://example.org/report'
    const { text } = await (await open({ configs: { server: { http: { securityContact } } } })).get(path)
    expect(text).toContain(`Contact: ${securityContact}\n`)
    expect(text).not.toContain('Canonical')
  })
})
