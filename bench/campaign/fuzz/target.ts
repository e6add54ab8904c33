import { ask } from '../../../test/e2e/support/api.ts'
import { waitFor } from '../../../test/support/time/wait-for.ts'
import { createHttpClient, type HttpClient } from '../../../tools/conformance/client/http-client.ts'
import { type ApiDescription, parseApiDescription } from '../../../tools/conformance/rules/api-description.ts'
import type { House } from '../house/house.ts'
import { createSocketPool, type SocketPool } from './socket-pool.ts'

/** The server under test, and its data. */
export type Target = {
  readonly house: House
  readonly api: ApiDescription
  readonly http: HttpClient
  /** Returns the token of a caller: none, a signed-in user, or a verified administrator. */
  tokenOf(as: string): string | undefined
  /** Valid values on this server: emails, ids, names. */
  readonly words: readonly string[]
  readonly zoneId: string
  readonly sockets: SocketPool
  /** Signs in again if a token has ended, and creates the zone again. */
  refresh(): Promise<void>
  close(): void
}

/** Half of the players use protobuf, the other half JSON. */
export const binaryPlayers = ['fuzz-1', 'fuzz-2', 'fuzz-3', 'fuzz-4'] as const
export const textPlayers = ['fuzz-5', 'fuzz-6', 'fuzz-7', 'fuzz-8'] as const
const players = [...binaryPlayers, ...textPlayers]

const answerMs = 30_000
const configNames = [
  'groups.yaml',
  'server.yaml',
  'classes.yaml',
  'skills/attacks.yaml',
  'skills/spells.yaml',
  'blocks.yaml',
  'worldgen.yaml',
]
const zone = { name: 'Fuzzed', yMin: 0, yMax: 200, chunks: [{ cx: 0, cz: 0 }] }

/** Prepares a started server: accounts, a zone, and its description of routes. */
export const openTarget = async (house: House): Promise<Target> => {
  const url = house.url()
  const tokens = new Map<string, string>()
  const { text } = await ask(url, 'GET /api/openapi.json')
  const words = ['fuzz-1@example.com', 'fuzz-2@example.com', 'default', 'player', 'builder', 'stone', 'air', ...configNames]

  const findZone = async (): Promise<string> => {
    const token = tokens.get('boss') ?? ''
    let id = ''
    await waitFor(async () => {
      const listed = await ask(url, 'GET /api/admin/instances', { token })
      const zones: readonly { id: string; chunks: unknown }[] = JSON.parse(listed.text)
      id = zones[0]?.id ?? ''
      if (id === '') await ask(url, 'POST /api/admin/instances', { token, body: zone })
      return id !== ''
    }, 60_000)
    return id
  }
  /** An input may have banned the sender of the next ones. */
  const endSanctions = async (token: string): Promise<void> => {
    const { body } = await ask(url, 'GET /api/admin/sanctions?active=true&limit=200', { token })
    for (const { id } of body.sanctions as readonly { id: string }[])
      await ask(url, `DELETE /api/admin/sanctions/${id}`, { token })
  }
  const refresh = async (): Promise<void> => {
    const boss = await house.bossToken(true)
    tokens.set('boss', boss)
    await endSanctions(boss)
    for (const name of players) tokens.set(name, await house.stage.signIn(url, `${name}@example.com`))
  }
  await refresh()
  // A player generates the ground of the zone.
  const guide = await house.stage.join(url, tokens.get('fuzz-1') ?? '')
  const zoneId = await findZone()
  guide.terminate()

  const http = createHttpClient(url, answerMs)
  const sockets = createSocketPool(url)
  return {
    house,
    api: parseApiDescription(JSON.parse(text)),
    http,
    tokenOf: (as) => tokens.get(as),
    words: [...words, zoneId, String(guide.welcome.playerId)],
    zoneId,
    sockets,
    refresh,
    close: () => {
      http.close()
      sockets.close()
    },
  }
}
