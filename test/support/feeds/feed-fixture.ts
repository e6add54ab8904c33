import type { FeedEnd } from '../../../realtime/feeds/feed-socket.ts'
import type { SocketPort } from '../../../realtime/socket/connection.ts'
import { createRealtimeFixture } from '../realtime/realtime-fixture.ts'
import { createFixedClock } from '../time/fixed-clock.ts'
import { createStoredZones, createZone } from '../zones/stored-zones.ts'
import type { FeedMessage } from './feed-client.ts'

/** Feeds of a node in memory with a manual clock and manual ticks. The sockets keep everything that is written to them. */
export const createFeedFixture = async () => {
  const clock = createFixedClock()
  const node = createRealtimeFixture({ clock })
  node.permissions.replace({
    groups: [
      { name: 'player', permissions: ['world.build'] },
      { name: 'editor', permissions: ['admin.instances.read', 'admin.instances.write'] },
      { name: 'watcher', permissions: ['admin.worlds.read'] },
    ],
    defaultGroups: ['player'],
  })
  const { loop } = node
  const zone = await createStoredZones(node.store).put(createZone({ enabled: false }))
  await node.watch.start({ accountsMs: 60_000, revocationsMs: 60_000 })

  const attach = (begin: (port: SocketPort) => FeedEnd) => {
    const received: FeedMessage[] = []
    const writes: Uint8Array[] = []
    const end: { code?: number; reason?: string; pings: number; isTerminated: boolean } = { pings: 0, isTerminated: false }
    const state = { bufferedBytes: 0 }
    const read = (frame: Uint8Array): void => {
      for (let rest = Buffer.from(frame); rest.length > 0; ) {
        const [, short = 0] = rest
        const [header, length] =
          short < 126 ? [2, short] : short === 126 ? [4, rest.readUInt16BE(2)] : [10, Number(rest.readBigUInt64BE(2))]
        received.push(JSON.parse(rest.subarray(header, header + length).toString()))
        rest = rest.subarray(header + length)
      }
    }
    const socket: FeedEnd = begin({
      write: (frame) => {
        writes.push(frame)
        read(frame)
      },
      close: (code, reason) => {
        Object.assign(end, { code, reason })
        socket.ended()
      },
      terminate: () => {
        end.isTerminated = true
        socket.ended()
      },
      ping: () => {
        end.pings += 1
      },
      isOpen: () => true,
      bufferedBytes: () => state.bufferedBytes,
    })
    return {
      socket,
      received,
      writes,
      end,
      state,
      send: (message: unknown) => socket.receive(Buffer.from(JSON.stringify(message)), 'text'),
      all: (type: string) => received.filter((message) => message.type === type),
    }
  }

  const knockOf = (token: string) => ({ headers: { authorization: `Bearer ${token}` }, requestId: 'r' })
  const open = async (token: string) => {
    const admitted = await loop.feeds.admit({ zoneId: zone.id, ...knockOf(token) }, node.origins())
    return attach((port) => loop.feeds.open(port, admitted))
  }
  /** The feed of the node's world. */
  const openWorld = async (token: string, world = node.world.record.name) => {
    const admitted = await loop.worldFeeds.admit({ world, ...knockOf(token) }, node.origins())
    return attach((port) => loop.worldFeeds.open(port, admitted))
  }

  /** Ticks until no asynchronous work is pending. */
  const settle = async (): Promise<void> => {
    for (let quiet = 0; quiet < 5; quiet = loop.isIdle() ? quiet + 1 : 0) {
      await new Promise(setImmediate)
      clock.advance(1)
      loop.tick(clock.monotonic())
    }
  }

  return {
    ...node,
    clock,
    zone,
    open,
    openWorld,
    settle,
    /** Advances time in ticks of 50 ms. */
    pass: async (milliseconds: number): Promise<void> => {
      for (let passed = 0; passed < milliseconds; passed += 50) {
        clock.advance(50)
        loop.tick(clock.monotonic())
      }
      await settle()
    },
    close: async () => {
      node.watch.close()
      await node.world.close()
      await node.events.close()
    },
  }
}

export type FeedFixture = Awaited<ReturnType<typeof createFeedFixture>>
