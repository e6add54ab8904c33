import { Type } from '@sinclair/typebox'
import { WebSocket } from 'ws'
import { connect, type Session, signIn } from '../../sdk/client.ts'
import type { FixtureDeps } from './fixtures/fixture-deps.ts'
import { type KeptConfig, keepConfig } from './fixtures/kept-config.ts'
import { createKeptToken, createPlayer, type Player, type PlayerAccount } from './fixtures/player.ts'
import { createZone, findFreeColumn, type ZonePlace, type ZoneView } from './fixtures/zone.ts'
import { expectBody, expectStatus } from './report/expectations.ts'
import { Skipped } from './report/skipped.ts'

/** Data that several checks share, created on first use and removed at the end. Each method throws if it cannot create it. */
export type Fixtures = {
  /** A test account in the default groups, signed in with its password. */
  player(): Promise<Player>
  /** Another test account with these permissions in addition, signed in with its password. */
  holder(suffix: string, permissions: readonly string[]): Promise<Player>
  /** Connects a test account to the game until the end. Skips the check if that is not possible. */
  join(account: PlayerAccount): Promise<Session>
  /** A token of the account with this email, from a sign-in without its password. */
  unverifiedToken(email: string): Promise<string>
  /** A generated column without a zone. */
  freeColumn(): Promise<ZonePlace>
  /** A disabled test zone at the top of that column. It changes nothing for players. */
  zone(): Promise<ZoneView>
  /** A config that checks may save. Its text is restored at the end. */
  config(): Promise<KeptConfig>
}

const once = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}

const joinMs = 30_000

/** Connects the account to the game until the end. Skips the check if the game is not at this address. */
const joinGame = async (
  { url, cleanUp }: Pick<FixtureDeps, 'url' | 'cleanUp'>,
  { email, password }: PlayerAccount,
): Promise<Session> => {
  const me = await signIn({ url, email, password, remember: false })
  cleanUp.later('a sign-in to the game', () => me.signOut())
  try {
    const session = await connect(me, { WebSocket, clientName: 'conformance', signal: AbortSignal.timeout(joinMs) })
    cleanUp.stays('terrain around the spawn, where our player was the first visitor')
    cleanUp.later('a player in the game', () => session.close())
    return session
  } catch (error) {
    throw new Skipped(`the game cannot be joined from here: ${error instanceof Error ? error.message : String(error)}`)
  }
}

const SignedIn = Type.Object({ token: Type.String() })

/** The token of a sign-in that must succeed. It is signed out at the end. */
const signInToken = async (
  { askAs, cleanUp }: Pick<FixtureDeps, 'askAs' | 'cleanUp'>,
  email: string,
  password: string,
): Promise<string> => {
  const answer = await askAs('POST /auth/login', undefined, { json: { email, password } })
  expectStatus(answer, 200)
  const { token } = expectBody(answer, SignedIn)
  cleanUp.later('a sign-in', async () => {
    await askAs('POST /auth/logout', token)
  })
  return token
}

export const createFixtures = (deps: FixtureDeps): Fixtures => {
  const account = once(() => createPlayer(deps))
  const playerToken = createKeptToken(deps.now, async () => {
    const { email, password } = await account()
    return signInToken(deps, email, password)
  })
  const unverified = new Map<string, () => Promise<string>>()
  const freeColumn = once(() => findFreeColumn(deps))
  return {
    player: async () => ({ ...(await account()), token: await playerToken() }),
    holder: async (suffix, permissions) => {
      const made = await createPlayer(deps, `-${suffix}`)
      const grants = `POST /api/admin/users/${encodeURIComponent(made.email)}/grants`
      for (const permission of permissions) expectStatus(await deps.ask(grants, { json: { permission } }), 201)
      return { ...made, token: await signInToken(deps, made.email, made.password) }
    },
    join: (account) => joinGame(deps, account),
    unverifiedToken: (email) => {
      const token = unverified.get(email) ?? createKeptToken(deps.now, () => signInToken(deps, email, 'no password of anybody'))
      unverified.set(email, token)
      return token()
    },
    freeColumn,
    zone: once(async () => createZone(deps, await freeColumn())),
    config: once(() => keepConfig(deps)),
  }
}
