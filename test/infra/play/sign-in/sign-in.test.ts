import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { afterEach, describe, expect, it } from '@jest/globals'
import { createSignInClient } from '../../../../infra/play/sign-in/sign-in.ts'

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

const serve = async (answer: (response: ServerResponse) => void): Promise<string> => {
  const server = createServer((_request, response) => answer(response))
  closers.push(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
}

describe('signing in from the terminal', () => {
  it('shows title, detail and waiting time of a problem', async () => {
    const url = await serve((response) =>
      response
        .writeHead(429, { 'Content-Type': 'application/problem+json', 'Retry-After': '42' })
        .end(
          JSON.stringify({ type: '/problems/too-many-requests', title: 'Too many requests', status: 429, detail: 'Slow down.' }),
        ),
    )
    await expect(createSignInClient(url, fetch).login('a@b.c', 'secret word')).rejects.toThrow(
      'The server refused the sign-in: Too many requests. Slow down. Try again in 42 s.',
    )
  })

  it('gives the link to begin with in a browser once the server would send one back, or its refusal', async () => {
    const accepting = await serve((response) => response.writeHead(302, { Location: 'https://id.example/' }).end())
    const returnUrl = 'http://127.0.0.1:4711/gatehouse/secret'
    expect(await createSignInClient(accepting, fetch).startOauth(returnUrl)).toBe(
      `${accepting}/auth/oauth/start?returnUrl=http%3A%2F%2F127.0.0.1%3A4711%2Fgatehouse%2Fsecret`,
    )
    const named = await serve((response) => {
      const redirectUri = encodeURIComponent('http://localhost:3000/base/auth/callback')
      response.writeHead(302, { Location: `https://id.example/?redirect_uri=${redirectUri}` }).end()
    })
    // The cookie of the sign-in has to come along when the provider sends the browser back.
    expect(await createSignInClient(named, fetch).startOauth(returnUrl)).toMatch(
      /^http:\/\/localhost:3000\/base\/auth\/oauth\/start\?returnUrl=/,
    )
    const refusing = await serve((response) =>
      response.writeHead(400).end(JSON.stringify({ title: 'Return URL not allowed', detail: 'An operator lists those.' })),
    )
    await expect(createSignInClient(refusing, fetch).startOauth(returnUrl)).rejects.toThrow(
      'The server refused the sign-in: Return URL not allowed. An operator lists those.',
    )
  })

  it.each([
    ['a page of something else', 200, '<html>'],
    ['JSON of something else', 200, '{"hello":"world"}'],
  ])('says that %s is no Gatehouse', async (_what, status, body) => {
    const url = await serve((response) => response.writeHead(status).end(body))
    const client = createSignInClient(url, fetch)
    await expect(client.readAuthConfig()).rejects.toThrow('not a Gatehouse server')
    await expect(client.renew('token')).rejects.toThrow('not a Gatehouse server')
  })

  it('names the status of an error without words', async () => {
    const url = await serve((response) => response.writeHead(502).end('bad gateway'))
    await expect(createSignInClient(url, fetch).readAuthConfig()).rejects.toThrow('It answered 502.')
  })
})
