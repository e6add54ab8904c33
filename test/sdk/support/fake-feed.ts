import { openZoneFeed, type ZoneFeed } from '../../../sdk/admin/feeds/zone-feed.ts'
import { type SignIn, signIn } from '../../../sdk/sign-in/sign-in.ts'
import { createFakeServer } from '../../../sdk/testing/fake-server.ts'
import type { FakeEnd } from '../../../sdk/testing/fake-socket.ts'
import { createHeldTimers } from './fake-session.ts'

const zone = { id: 'z', name: 'Town', world: 'default', yMin: 60, yMax: 80, chunks: [{ cx: 0, cz: 0 }], enabled: true }

type Message = Readonly<Record<string, unknown>>

/** A fake server with the feed of one zone; a test controls its messages. */
export const createFakeFeed = () => {
  const server = createFakeServer()
  const held = createHeldTimers()
  const ends: FakeEnd[] = []
  const received: Message[] = []
  const connections: { readonly path: string; readonly protocols: readonly string[] }[] = []
  const open: { feed?: ZoneFeed; me: SignIn }[] = []
  let isRefusing = false
  let probe: () => Response = () => Response.json(zone)
  let onMessage: (message: Message, end: FakeEnd) => void = () => undefined
  let seq = 100

  const say = (message: object): void => ends.at(-1)?.send(JSON.stringify(message))
  server.meetWith((address, end) => {
    connections.push({ path: address.pathname, protocols: end.protocols })
    if (isRefusing) return 'refused'
    ends.push(end)
    end.onFrame = (frame) => {
      const message = JSON.parse(String(frame))
      received.push(message)
      onMessage(message, end)
    }
    end.send(JSON.stringify({ type: 'zone', zone, seq }))
    return 'own'
  })

  return {
    held,
    received,
    connections,
    zone,
    say,
    sayRaw: (data: string | Uint8Array) => ends.at(-1)?.send(data),
    /** Sends to every client, with the next number. */
    tell: (message: object): number => {
      seq += 1
      say({ ...message, seq })
      return seq
    },
    /** Skips numbers, as for events while no client is connected. */
    miss: (count: number) => {
      seq += count
    },
    close: (code: number, reason = '') => ends.at(-1)?.close(code, reason),
    cut: () => ends.at(-1)?.close(1006, ''),
    answerWith: (answer: typeof onMessage) => {
      onMessage = answer
    },
    /** Refuses every upgrade as a browser sees it; a plain request gets this answer. */
    refuse: (answer: () => Response) => {
      isRefusing = true
      probe = answer
    },
    accept: () => {
      isRefusing = false
    },
    forget: server.forget,
    enter: async (options: { readonly signal?: AbortSignal } = {}) => {
      const fetch: typeof server.fetch = async (url, init) =>
        new URL(url).pathname.startsWith('/api/admin/') ? probe() : server.fetch(url, init)
      const me = await signIn({ url: server.url, email: 'boss@example.com', fetch, timers: held.timers })
      const one: (typeof open)[number] = { me }
      open.push(one)
      const { timers } = held
      const feed = await openZoneFeed(me, 'z', { WebSocket: server.WebSocket, timers, random: () => 0.5, ...options })
      one.feed = feed
      return { feed, me }
    },
    end: () => {
      for (const { feed, me } of open) {
        feed?.close()
        me.close()
      }
    },
  }
}

/** Resolves when the feed is in that state. */
export const reachState = async (feed: ZoneFeed, name: ReturnType<ZoneFeed['state']>['name']) => {
  if (feed.state().name === name) return feed.state()
  return new Promise<ReturnType<ZoneFeed['state']>>((resolve) => {
    const end = feed.on('state', (state) => {
      if (state.name !== name) return
      end()
      resolve(state)
    })
  })
}
