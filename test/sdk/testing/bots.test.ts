import { expect, it } from '@jest/globals'
import { startBots } from '../../../sdk/testing/bots.ts'
import { createFakeServer } from '../../../sdk/testing/fake-server.ts'
import { waitFor } from '../../support/time/wait-for.ts'

it('disconnects all bots when one cannot join', async () => {
  const server = createFakeServer()
  const asked: string[] = []
  const fetch: typeof server.fetch = async (url, init) => {
    const { email = '' } = JSON.parse(String(init?.body ?? '{}'))
    asked.push(email)
    if (email !== 'bot-1@bots.invalid') return server.fetch(url, init)
    return new Response(JSON.stringify({ type: '/problems/rate-limited', title: 'x', status: 429 }), {
      status: 429,
      headers: { 'content-type': 'application/problem+json' },
    })
  }
  const options = { url: server.url, count: 20, atOnce: 4, fetch, WebSocket: server.WebSocket as typeof WebSocket }
  await expect(startBots(options)).rejects.toThrow()
  const soFar = asked.length
  expect(soFar).toBeLessThan(20)
  await waitFor(() => server.players().length === 0)
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect([server.players().length, asked.length]).toEqual([0, soFar])
})
