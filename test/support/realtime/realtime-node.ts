import { createRealtimeMetrics } from '../../../realtime/metrics/realtime-metrics.ts'
import { followReloads } from '../../../realtime/node/follow-reloads.ts'
import type { FrameKind } from '../../../realtime/protocol/messages.ts'
import type { Account } from '../../../shared/domain/accounts/account.ts'
import { systemClock } from '../../../shared/kernel/clock.ts'
import { openRealtimeClient, type RealtimeClient } from './realtime-client.ts'
import { createRealtimeFixture, type RealtimeFixtureOptions } from './realtime-fixture.ts'

/** A real-time node on its own port, with players on real sockets. */
export const startRealtimeNode = async (options: Omit<RealtimeFixtureOptions, 'clock'> = {}) => {
  const closings: string[] = []
  const metrics = { ...createRealtimeMetrics(), countClosing: (code: string) => closings.push(code) > 0 }
  const fixture = createRealtimeFixture({ clock: systemClock, metrics, ...options })
  const { loop, server, configs, activeSanctions, watch, zoneWatch, presenceKeeper, link, moduleHost } = fixture
  const port = await server.listen(0, '127.0.0.1')
  const url = `ws://127.0.0.1:${port}/realtime`
  await watch.start({ accountsMs: 60_000, revocationsMs: 60_000 })
  await zoneWatch.start(60_000)
  await link.start(loop.linked)
  await activeSanctions.start()
  const endSanctions = activeSanctions.onChange(server.sanctionsChanged)
  const endReloads = followReloads({ configs, loop, server })
  const endModuleConfigs = configs.onReload((names) => void moduleHost?.configsChanged(names))
  server.start()
  presenceKeeper.start()
  const players: RealtimeClient[] = []

  const open = async (kind: FrameKind = 'binary'): Promise<RealtimeClient> => {
    const client = await openRealtimeClient(url, kind)
    players.push(client)
    return client
  }
  return {
    ...fixture,
    server,
    url,
    /** Codes of the connections that the server closed, in order. */
    closings,
    open,
    /** Creates an account with that name, signs in, connects and waits for the Welcome. */
    join: async (
      name: string,
      { kind = 'binary', groups, verified }: { kind?: FrameKind; groups?: string[]; verified?: boolean } = {},
    ) => {
      const account: Account = await fixture.addAccount(name, groups)
      const token = await fixture.signIn(account, verified)
      const client = await open(kind)
      client.connect(token)
      return { account, token, client, welcome: await client.next('welcome') }
    },
    close: async () => {
      endSanctions()
      activeSanctions.close()
      endReloads()
      endModuleConfigs()
      watch.close()
      link.close()
      zoneWatch.close()
      await server.close({ graceMs: 100 })
      await presenceKeeper.close()
      await fixture.world.close()
      for (const client of players) client.terminate()
      await fixture.events.close()
    },
  }
}

export type RealtimeNode = Awaited<ReturnType<typeof startRealtimeNode>>
