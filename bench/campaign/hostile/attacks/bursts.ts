import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { ask } from '../../../../test/e2e/support/api.ts'
import type { Attack, Ground } from '../attack.ts'
import { asPlayers, encode, openPlain, repeat } from '../attack-sockets.ts'

const burst = 600
const documents = ['/api/docs', '/api/openapi.json', '/api/asyncapi.json', '/console', '/problems/not-found']

/** Bursts of requests for public documents, all of one kind at once. */
export const docsBurst: Attack = {
  name: 'docs-burst',
  lagMsMax: 3000,
  run: (ground) =>
    repeat(ground, 200, async (turn) => {
      const path = documents[turn % documents.length]
      await Promise.all(
        Array.from({ length: burst }, async () => {
          const socket = openPlain(ground)
          socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
          socket.resume()
          await once(socket, 'close').catch(() => undefined)
        }),
      )
    }),
}

const listings = 400

/** Unread listings of blocks, by an administrator's sign-in. */
export const unreadListings: Attack = {
  name: 'unread-listings',
  prepare: async (house) => ({ token: await house.bossToken() }),
  run: async (ground) => {
    const head = `GET /api/admin/instances/${ground.zoneId}/blocks HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${ground.given.token}\r\n\r\n`
    const sockets = Array.from({ length: listings }, () => {
      const socket = openPlain(ground)
      socket.pause()
      socket.write(head)
      return socket
    })
    while (!ground.isOver()) await pause(50)
    for (const socket of sockets) socket.destroy()
  },
}

/** Small messages with large answers: a view that grows and shrinks. */
export const amplify: Attack = {
  name: 'amplify',
  lagMsMax: 3000,
  run: (ground) =>
    asPlayers(ground, 100, (socket, turn) =>
      socket.send(encode({ $case: 'viewRadius', value: { chunks: turn % 2 === 0 ? 16 : 1 } })),
    ),
}

const blocks = 8
const streamsOfBlock = 6
const hashed = Array.from({ length: blocks }, (_, index) => `hashed-${index}@example.com`)
const password = 'correct horse battery staple'
const honest = { email: 'hashed-honest@example.com', password }
const honestMsMax = 20_000

const signInFrom = (ground: Ground, localAddress: string, email: string, agent: Agent): Promise<void> =>
  new Promise((resolve) => {
    const body = JSON.stringify({ email, password })
    const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }
    const { host, port } = ground
    const sent = request({ host, port, method: 'POST', path: '/auth/login', headers, agent, localAddress }, (answer) => {
      answer.resume().once('close', resolve)
    })
    sent.once('error', () => resolve())
    sent.end(body)
  })

/**
 * Sign-ins from eight address blocks, each with its own account and password, which is hashed each time. An honest sign-in from
 * another block is answered within 20 s and never with 503. Needs a loopback with many addresses: elsewhere all come from one
 * block.
 */
export const hashQueue: Attack = {
  name: 'hash-queue',
  prepare: async (house) => {
    const token = await house.bossToken()
    for (const email of [...hashed, honest.email]) {
      const { status, text } = await ask(house.url(), 'POST /api/admin/users', { token, body: { email, password } })
      if (status !== 201 && status !== 409) throw new Error(`${email} was not added: ${status} ${text}`)
    }
    return {}
  },
  observe: async (house) => {
    const startedMs = performance.now()
    const { status } = await ask(house.url(), 'POST /auth/login', { body: honest })
    const tookMs = Math.round(performance.now() - startedMs)
    return status === 200 && tookMs <= honestMsMax ? [] : [`an honest sign-in is answered ${status} after ${tookMs} ms`]
  },
  run: async (ground) => {
    const agent = new Agent({ keepAlive: true })
    await Promise.all(
      hashed.flatMap((email, index) => {
        const localAddress = process.platform === 'linux' ? `127.0.0.${index + 2}` : '127.0.0.1'
        return Array.from({ length: streamsOfBlock }, () =>
          repeat(ground, 1, () => signInFrom(ground, localAddress, email, agent)),
        )
      }),
    )
    agent.destroy()
  },
}
