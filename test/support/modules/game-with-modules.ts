import type { Account } from '../../../shared/domain/accounts/account.ts'
import type { ModuleSources } from '../../../shared/domain/modules/module-source.ts'
import { openFakeClient } from '../realtime/fake-socket.ts'
import { createRealtimeFixture, type RealtimeFixtureOptions } from '../realtime/realtime-fixture.ts'
import { createFixedClock } from '../time/fixed-clock.ts'
import { waitFor } from '../time/wait-for.ts'

/** Definitions of modules in memory, by name. */
const sourcesOf = (specs: Readonly<Record<string, object>>): ModuleSources => ({
  openProfile: async () => {
    throw new Error('A test in memory writes no profile.')
  },
  list: async () => Object.keys(specs).sort(),
  load: async (name) => ({
    version: undefined,
    findPlace: () => undefined,
    evaluate: () => ({ name, api: 1, ...specs[name] }),
  }),
})

/** A node in memory with modules, clients in memory, and manual ticks. */
export const startGameWithModules = async (
  specs: Readonly<Record<string, object>>,
  options: Omit<RealtimeFixtureOptions, 'clock' | 'moduleSources'> = {},
) => {
  const clock = createFixedClock()
  const fixture = createRealtimeFixture({ clock, moduleSources: sourcesOf(specs), ...options })
  const { loop, moduleHost, signIn, addAccount, activeSanctions, world } = fixture
  if (moduleHost === undefined) throw new Error('the node has no host of modules')
  await activeSanctions.start()
  const endSanctions = activeSanctions.onChange(loop.accounts.sanctionsChanged)
  const tick = (): void => {
    clock.advance(50)
    loop.tick(clock.monotonic())
  }
  const joinAs = async (account: Account) => {
    const client = openFakeClient(fixture)
    client.send({
      $case: 'connect',
      value: { token: await signIn(account), protocolVersion: 1, clientName: 'test' },
    })
    await waitFor(loop.isIdle)
    tick()
    const move = (to: { readonly x?: number; readonly y?: number; readonly z?: number }, seq = 1): void =>
      client.send({ $case: 'move', value: { seq, x: 0.5, y: 64, z: 0.5, yaw: 0, pitch: 0, ...to } })
    const placeOf = () => loop.live.listPlayers().find(({ playerId }) => playerId === account.playerId)?.position
    return { ...client, account, move, placeOf }
  }
  const join = async (name: string, groups?: readonly string[]) => joinAs(await addAccount(name, groups))
  await moduleHost.start()
  tick()
  return {
    ...fixture,
    moduleHost,
    clock,
    tick,
    join,
    joinAs,
    close: async () => {
      loop.stopModules('shutdown')
      tick()
      endSanctions()
      activeSanctions.close()
      await world.close()
    },
  }
}

export type GameWithModules = Awaited<ReturnType<typeof startGameWithModules>>
