import { setTimeout as sleep } from 'node:timers/promises'
import type { AfterClose } from './decide-after-close.ts'
import { decideAfterClose } from './decide-after-close.ts'
import type { GameClient } from './game-client.ts'

/** What opens a connection: the token of a sign-in, or the secret that resumes a session. */
type Credential = { readonly token: string } | { readonly resumeToken: string }

export type GameSession = {
  /** The connection on which the player is in the game at this moment. */
  current(): GameClient | undefined
  /** The same as soon as there is one; undefined when there will be none. */
  ready(): Promise<GameClient | undefined>
  /** Ends it cleanly. */
  leave(): Promise<void>
  /** How it ended; resolves once there will be no further connection. */
  readonly ended: Promise<{ readonly ok: boolean; readonly text: string }>
}

export type GameSessionOptions = {
  readonly connect: (credential: Credential, url: string) => GameClient
  /** The server's base address; the server may send the player on to others. */
  readonly url: string
  /** A token that is alive at this moment. */
  readonly token: () => string
  /** Called for each connection before anything has arrived on it. */
  readonly onConnection: (client: GameClient) => void
  /** Told why there is to be another connection. */
  readonly onRetry: (text: string) => void
}

/** Stays in the game: comes back with the resume token after a lost connection, and with the token when the session is gone. */
export const createGameSession = ({ connect, url: homeUrl, token, onConnection, onRetry }: GameSessionOptions): GameSession => {
  const leaving = new AbortController()
  let client: GameClient | undefined
  let current: GameClient | undefined
  let waiting: ((client: GameClient | undefined) => void)[] = []
  let resumeToken: string | undefined
  let wasIn = false
  let failures = 0
  let url = homeUrl

  const enter = (welcomed: GameClient | undefined): void => {
    current = welcomed
    for (const resolve of waiting) resolve(welcomed)
    waiting = []
  }

  const runConnection = async (credential: Credential): Promise<AfterClose> => {
    const opened = connect(credential, url)
    client = opened
    opened.events.on('welcome', (welcome) => {
      wasIn = true
      failures = 0
      resumeToken = welcome.resumeToken
    })
    onConnection(opened)
    // After the listeners of `onConnection`, so that what waits for the game finds their work done.
    opened.events.on('welcome', () => enter(opened))
    const closed = await opened.closed
    current = undefined
    const circumstances = { leaving: leaving.signal.aborted, wasIn, resuming: 'resumeToken' in credential, url }
    // Where nobody let the player in, the address that the player named is the better one.
    if (failures > 0) url = homeUrl
    return decideAfterClose(closed, { ...circumstances, failures: failures++ })
  }

  const run = async (): Promise<{ ok: boolean; text: string }> => {
    let credential: Credential = { token: token() }
    for (;;) {
      const next = await runConnection(credential)
      if (!next.again) return next
      onRetry(next.text)
      url = next.url ?? url
      // A wait that is cut short by leaving ends by the check below.
      await sleep(next.afterMs, undefined, { signal: leaving.signal }).catch(() => undefined)
      if (leaving.signal.aborted) return { ok: true, text: 'You left.' }
      credential = next.with === 'token' || resumeToken === undefined ? { token: token() } : { resumeToken }
    }
  }

  const ended = run().finally(() => enter(undefined))
  let isOver = false
  void ended.then(() => {
    isOver = true
  })
  return {
    current: () => current,
    ready: () => (current !== undefined || isOver ? Promise.resolve(current) : new Promise((resolve) => waiting.push(resolve))),
    leave: async () => {
      leaving.abort()
      await client?.disconnect()
      await ended
    },
    ended,
  }
}
