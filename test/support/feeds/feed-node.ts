import { createFeedZones } from '../../../realtime/feeds/news/feed-zones.ts'
import type { Account } from '../../../shared/domain/accounts/account.ts'
import type { Zone } from '../../../shared/domain/zones/zone.ts'
import { startRealtimeNode } from '../realtime/realtime-node.ts'
import { createStoredZones, createZone } from '../zones/stored-zones.ts'
import { type FeedClient, type FeedHead, knockAtFeed, openFeedClient } from './feed-client.ts'

/** Additional groups: one may read zones, the other may also edit them. */
const editorGroups = [
  { name: 'player', permissions: ['world.build', 'zone.build', 'command.who'] },
  { name: 'reader', permissions: ['admin.instances.read'] },
  { name: 'editor', permissions: ['admin.instances.read', 'admin.instances.write'] },
]

/** A real-time node with feeds of zones on real sockets. The columns 0,0 and 1,0 are a disabled zone from 60 to 80. */
export const startFeedNode = async (options: Parameters<typeof startRealtimeNode>[0] = {}) => {
  const node = await startRealtimeNode(options)
  const { store, events, log, loop, permissions } = node
  permissions.replace({ groups: editorGroups, defaultGroups: ['player'] })
  const stored = createStoredZones(store, events)
  const feedZones = createFeedZones({ store, accountStore: node.accountStore, events, log, feeds: loop.feeds })
  await feedZones.start(60_000)
  const { playerId: owner } = await node.addAccount('owner', [])
  const zone = await stored.put(
    createZone({
      owner,
      chunks: [
        { cx: 0, cz: 0 },
        { cx: 1, cz: 0 },
      ],
      enabled: false,
    }),
  )
  const clients: FeedClient[] = []
  const addressOf = (id: string): string => node.url.replace(/\/realtime$/, `/api/admin/ws/instances/${id}`)

  return {
    ...node,
    zone,
    stored,
    feedZones,
    addressOf,
    addEditor: (name: string, groups: readonly string[] = ['editor']): Promise<Account> => node.addAccount(name, groups),
    knock: (head: FeedHead, id: string = zone.id) => knockAtFeed(addressOf(id), head),
    /** Opens a feed and waits for its zone; `as` is an account or a token. */
    openFeed: async (as: Account | string, of: Zone = zone): Promise<FeedClient> => {
      const token = typeof as === 'string' ? as : await node.signIn(as)
      const client = await openFeedClient(addressOf(of.id), { token })
      clients.push(client)
      await client.next('zone')
      return client
    },
    openRaw: async (head: FeedHead, id: string = zone.id): Promise<FeedClient> => {
      const client = await openFeedClient(addressOf(id), head)
      clients.push(client)
      return client
    },
    close: async () => {
      feedZones.close()
      await node.close()
      for (const client of clients) client.terminate()
    },
  }
}

export type FeedNode = Awaited<ReturnType<typeof startFeedNode>>
