import { cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { WebSocket } from 'ws'
import { type ConnectOptions, connect } from '../../../sdk/connection/connect.ts'
import type { Game } from '../../../sdk/examples/terminal/commands.ts'
import type { Welcome } from '../../../sdk/protocol/generated/gatehouse.ts'
import { watchWorld } from '../../../sdk/world/watch-world.ts'
import { findFreePort } from '../../support/processes/free-port.ts'
import { createTempDir } from '../../support/processes/temp-dir.ts'
import { holdToken } from '../../support/sdk/hold-token.ts'
import { waitFor } from '../../support/time/wait-for.ts'
import { ask, signIn } from './api.ts'
import { type Child, startEntry, type Variables } from './child.ts'
import { type Credential, isPutOff, openPlayerLink, type PlayerLink } from './player-link.ts'

/** A server that is ready. */
export type Server = Child & { readonly url: string }

export const administrator = { email: 'boss@example.com', password: 'the password of the boss' }

/** Cheap hashes, and limits high enough for tests. */
export const quickConfig = `auth: { local: { bcryptCost: 10 } }
http: { rateLimits: { signInPerMinutePerAccount: 1000, signInPerMinutePerAddress: 10000, requestsPerMinutePerAddress: 10000, requestsPerMinutePerToken: 10000 } }
`
/** Level ground: players appear with their feet at 64, and nothing is in the way. */
const levelGround = 'generator: flat-1\nflat: { layers: [{ block: stone, height: 63 }, { block: grass, height: 1 }] }\n'

const starterGroups = fileURLToPath(new URL('../../../resources/starter/groups.yaml', import.meta.url))

const readyLine = /^Gatehouse (?:is ready|is up|stands by) at (\S+)/m
/** Before another attempt at a server that answers 503. */
const retryMs = 250
const claimLink = /\/claim#(\S+)/

/** Data folders, processes and players of one test file; `close` ends them. */
export const createStage = () => {
  const children: Child[] = []
  const players: PlayerLink[] = []
  const games: Game[] = []
  const removals: (() => Promise<void>)[] = []

  const launch = (script: string, args: readonly string[], variables: Variables): Child => {
    const child = startEntry(script, args, { LOG_LEVEL: 'info', SHUTDOWN_DELAY_MS: '0', ...variables })
    children.push(child)
    return child
  }
  const createEmptyDir = async (): Promise<string> => {
    const { path, remove } = await createTempDir()
    removals.push(remove)
    return path
  }
  const openLink = (url: string, credential: Credential): PlayerLink => {
    const player = openPlayerLink(url, credential)
    players.push(player)
    return player
  }
  const ready = async (child: Child): Promise<Server> => {
    // The duration of a start when six suites share two cores.
    await child.shows(readyLine, 150_000)
    const url = readyLine.exec(child.stdout())?.[1] ?? ''
    return { ...child, url }
  }

  return {
    launch,
    createEmptyDir,
    ready,
    /** Registers another process that the stage ends. */
    adopt: (child: Child): Child => {
      children.push(child)
      return child
    },
    /** A data folder with the default groups and level ground, and `quickConfig` by default. */
    createDataDir: async (serverConfig = quickConfig): Promise<string> => {
      const path = await createEmptyDir()
      await mkdir(join(path, 'config'))
      await cp(starterGroups, join(path, 'config', 'groups.yaml'))
      await writeFile(join(path, 'config', 'server.yaml'), serverConfig)
      await writeFile(join(path, 'config', 'worldgen.yaml'), levelGround)
      return path
    },
    /** Starts `infra/local.ts`, or another server, and waits until it is ready. */
    start: (variables: Variables, script = 'infra/local.ts'): Promise<Server> =>
      ready(launch(script, [], { PORT: '0', ...variables })),
    /** The HTTP half and the real-time half on one Redis and one data folder; players only use the address of `http`. */
    startPair: async (dataDir: string, redisUrl: string, variables: Variables = {}) => {
      const port = String(await findFreePort())
      const common = { DATA_DIR: dataDir, REDIS_URL: redisUrl, ...variables }
      const startHttp = () =>
        ready(launch('infra/http.ts', [], { ...common, PORT: '0', REALTIME_URL: `http://127.0.0.1:${port}` }))
      const startRealtime = () => ready(launch('realtime/main.ts', [], { ...common, PORT: port }))
      const [http, realtime] = await Promise.all([startHttp(), startRealtime()])
      return { http, realtime, startRealtime }
    },
    /** Claims the administrator account with the printed code; resolves with a verified token. */
    claim: async (server: Server): Promise<string> => {
      await server.shows(claimLink)
      const claim = claimLink.exec(server.stdout())?.[1]
      const answer = await ask(server.url, 'POST /auth/claim', { body: { claim, ...administrator } })
      if (answer.status !== 200) throw new Error(`the claim answered ${answer.status} ${answer.text}`)
      return String(answer.body.token)
    },
    /** A player of the client library in the game, who reconnects automatically; `url` is the server's base address. */
    enter: async (url: string, token: string, options: ConnectOptions = {}): Promise<Game> => {
      for (;;)
        try {
          const session = await connect(holdToken(url, token), { WebSocket, clientName: 'test', ...options })
          const game = { session, world: watchWorld(session) }
          games.push(game)
          return game
        } catch (error) {
          if (!isPutOff(error)) throw error
          await pause(retryMs)
        }
    },
    /** One connection of a player with all its messages; it never reconnects. */
    join: async (url: string, token: string): Promise<PlayerLink & { readonly welcome: Welcome }> => {
      for (;;) {
        const player = openLink(url, { token })
        await waitFor(() => player.count('welcome') > 0 || player.isPutOff())
        if (!player.isPutOff()) return { ...player, welcome: await player.next('welcome') }
        await pause(retryMs)
      }
    },
    /** Like `join`, without waiting for a Welcome. */
    connect: openLink,
    /** The terminal client of a user; a password is the first line of its standard input. */
    play: (url: string, { email, password }: { readonly email: string; readonly password?: string }): Child => {
      const secret = password === undefined ? [] : ['--password', '-']
      const child = launch('sdk/examples/terminal/play.ts', ['--email', email, '--url', url, ...secret], {})
      if (password !== undefined) child.write(`${password}\n`)
      return child
    },
    adduser: (dataDir: string, args: readonly string[], variables: Variables = {}): Child =>
      launch('tools/adduser.ts', args, { DATA_DIR: dataDir, ...variables }),
    signIn,
    /** All output of all processes so far. */
    output: (): string => children.map((child) => child.stdout() + child.stderr()).join('\n'),
    close: async (): Promise<void> => {
      for (const player of players.splice(0)) player.terminate()
      for (const { session } of games.splice(0)) {
        session.drop()
        await session.close()
      }
      await Promise.all(children.map((child) => child.kill()))
      await Promise.all(removals.splice(0).map((remove) => remove()))
    },
  }
}
