import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { stringify } from 'yaml'
import { findFreePort } from '../../../test/support/processes/free-port.ts'
import { createDataDir, signIn, startGatehouse } from '../../gatehouse-process.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const accounts = 5000
/** 64 columns a side, the maximum of a zone. */
const side = 64

/** Zones of 4,096 columns each, one above the other; their changes fill more than a page of the audit log. */
const otherZones = 50
const changesOfZone = 4
/** The request id of all writes, as from a client that always sends the same one. */
export const oneRequest = 'bench'

const limits = `auth: { local: { registration: open } }
http: { rateLimits: { signInPerMinutePerAccount: 1000000, signInPerMinutePerAddress: 1000000, requestsPerMinutePerAddress: 1000000, requestsPerMinutePerToken: 1000000 } }
realtime: { messagesPerSecond: 1000, messageBurst: 2000 }
`

const groups = 'groups: [{ name: player, permissions: [world.build] }]\n'

const usersText = (playerIds: readonly string[]): string =>
  stringify({
    users: playerIds.map((playerId, index) => ({
      email: `user${index}@example.com`,
      playerId,
      displayName: `User ${index}`,
      groups: ['player'],
      createdAt: '2026-01-01T00:00:00.000Z',
    })),
  })

export const password = 'correct horse battery staple'
const administrator = 'admin@example.com'
/** The account in requests, which also signs in and out. */
export const person = 'person@example.com'
/** Half of the default lifetime of a token. */
const tokenMsMax = 300_000

/** A server with 5,000 accounts, a world of 4,225 columns and 51 zones of the maximum size. Its loop is measured. */
export const openStage = async () => {
  const playerIds = Array.from({ length: accounts }, () => randomUUID())
  const files = { 'server.yaml': limits, 'groups.yaml': groups, 'users.yaml': usersText(playerIds) }
  const data = await createDataDir(files)
  const environment = { DATA_DIR: data.path }
  const runTask = (script: string, ...task: readonly string[]) =>
    promisify(execFile)(process.execPath, ['infra/launch.js', script, ...task], {
      cwd: root,
      env: { PATH: process.env.PATH, ...environment },
    })
  await runTask('tools/adduser.ts', administrator, password, '--groups', 'admin')
  await runTask('tools/adduser.ts', person, password, '--groups', 'player')
  await runTask('tools/world.ts', 'create', 'default', '--seed', '1')
  await runTask('tools/world.ts', 'pregen', 'default', '--radius', '32')
  const port = await findFreePort()
  const gatehouse = await startGatehouse('infra/local.ts', {
    ...environment,
    BENCH_HOLDS_PORT: String(port),
    NODE_OPTIONS: `--import=${fileURLToPath(new URL('./watch-loop.js', import.meta.url))}`,
  })
  let token = await signIn(gatehouse.url, administrator, password)
  let tokenAtMs = performance.now()
  const chunks = Array.from({ length: side * side }, (_, index) => ({
    cx: (index % side) - side / 2,
    cz: Math.floor(index / side) - side / 2,
  }))
  const refreshToken = async (): Promise<void> => {
    if (performance.now() - tokenAtMs < tokenMsMax) return
    token = await signIn(gatehouse.url, administrator, password)
    tokenAtMs = performance.now()
  }
  const send = async (method: string, path: string, body?: object): Promise<Response> => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}`, 'x-request-id': oneRequest }
    const response = await fetch(`${gatehouse.url}${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path} was answered with ${response.status} ${await response.text()}`)
    return response
  }
  const createZone = async (name: string, yMin: number, yMax: number): Promise<string> => {
    const response = await send('POST', '/api/admin/instances', { name, yMin, yMax, chunks })
    return response.headers.get('location')?.split('/').at(-1) ?? ''
  }
  const zoneId = await createZone('Large', 0, 100)
  for (let index = 0; index < otherZones; index += 1) {
    const lowest = 101 + 2 * index
    const id = await createZone(`Large ${index}`, lowest, lowest + 1)
    for (let change = 0; change < changesOfZone; change += 1)
      await send('PUT', `/api/admin/instances/${id}/chunks`, { chunks: change % 2 === 0 ? chunks.slice(1) : chunks })
  }
  return {
    url: gatehouse.url,
    zoneId,
    chunks,
    playerIds,
    send,
    /** The administrator's token. */
    get token(): string {
      return token
    },
    /** Signs in again before the token ends. */
    refreshToken,
    signInAs: (email: string) => signIn(gatehouse.url, email, password),
    /** Posts and returns the id of the new thing. */
    make: async (path: string, body: object): Promise<string> => {
      const { id }: { id: string } = JSON.parse(await (await send('POST', path, body)).text())
      return id
    },
    /**
     * The longest hold since the last call, in milliseconds. It uses new connections, because a kept one may close at that
     * moment.
     */
    takeHoldMs: async () => Number(await (await fetch(`http://127.0.0.1:${port}`, { headers: { connection: 'close' } })).text()),
    close: async () => {
      await gatehouse.stop()
      await data.remove()
    },
  }
}

export type Stage = Awaited<ReturnType<typeof openStage>>
