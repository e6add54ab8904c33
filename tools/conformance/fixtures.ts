import type { Session } from '../../sdk/client.ts'
import type { FixtureDeps } from './fixtures/fixture-deps.ts'
import { joinGame } from './fixtures/join-game.ts'
import { type KeptConfig, keepConfig } from './fixtures/kept-config.ts'
import { createKeptToken } from './fixtures/kept-token.ts'
import { createPlayer, type Player, type PlayerAccount } from './fixtures/player.ts'
import { signInToken } from './fixtures/sign-in-token.ts'
import { createZone, findFreeColumn, type ZonePlace, type ZoneView } from './fixtures/zone.ts'
import { expectStatus } from './report/expectations.ts'

/** What several checks lean on: made on its first use, taken away in the end. Each throws where it cannot be made. */
export type Fixtures = {
  /** An account of ours in the default groups, signed in by its password. */
  player(): Promise<Player>
  /** Another account of ours with these permissions besides, signed in by its password. */
  holder(suffix: string, permissions: readonly string[]): Promise<Player>
  /** Takes an account of ours into the game until the end; skips the check where that cannot be. */
  join(account: PlayerAccount): Promise<Session>
  /** A token of the account with that email, got without its password. */
  unverifiedToken(email: string): Promise<string>
  /** A generated column that no zone has. */
  freeColumn(): Promise<ZonePlace>
  /** A zone of ours at the top of that column, disabled: it changes nothing for players. */
  zone(): Promise<ZoneView>
  /** A config that may be saved: its text comes back in the end. */
  config(): Promise<KeptConfig>
}

const once = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** Nothing is made yet. */
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
