import type { FeedReplies, ZoneFeedNews } from '../admin/generated/feed-messages.ts'
import type { BlockEdit, Position } from '../protocol/generated/gatehouse.ts'
import type { FakeAccount, FakeProblem, Serve } from './fake-routes.ts'
import type { FakeEnd } from './fake-socket.ts'
import { fakeBlocks } from './fake-world.ts'

type Zone = ZoneFeedNews['zone']['zone']
type News = ZoneFeedNews[keyof ZoneFeedNews]
type Seen = { readonly account: FakeAccount; readonly position: Position }

type Kept = {
  zone: Zone
  seq: number
  /** Numbered messages, for feeds that resume. */
  readonly log: string[]
  readonly feeds: Set<FakeEnd>
  readonly inside: Set<string>
}

export type FakeZonesDeps = {
  /** Changes blocks for all players. */
  readonly build: (edits: readonly BlockEdit[], by: string) => void
  readonly typeAt: (x: number, y: number, z: number) => string
  readonly players: () => readonly Seen[]
  readonly find: (token: string) => FakeAccount | undefined
}

const columnOf = (at: number): number => Math.floor(at / 16)

const contains = (
  { yMin, yMax, chunks }: Zone,
  { x, y, z }: { readonly x: number; readonly y: number; readonly z: number },
): boolean =>
  Math.floor(y) >= yMin && Math.floor(y) <= yMax && chunks.some(({ cx, cz }) => cx === columnOf(x) && cz === columnOf(z))

const noZone: FakeProblem = { problem: { status: 404, slug: 'not-found', title: 'There is no zone with this id.' } }
const plane = { enabled: false, flipped: false, pos: 0 }

/** The zones of a fake server with their routes and feeds. They protect nothing. */
export const createFakeZones = ({ build, typeAt, players, find }: FakeZonesDeps) => {
  const all = new Map<string, Kept>()

  const send = (end: FakeEnd, message: News | FeedReplies[keyof FeedReplies]): void => end.send(JSON.stringify(message))
  /** Sends to all feeds of the zone, with the next number. */
  const tell = (kept: Kept, messageOf: (seq: number) => News): void => {
    kept.seq += 1
    const text = JSON.stringify(messageOf(kept.seq))
    kept.log.push(text)
    for (const end of kept.feeds) end.send(text)
  }
  const show = (kept: Kept, { account, position }: Seen): void => {
    const { playerId, displayName } = account
    const isInside = contains(kept.zone, position)
    const wasInside = kept.inside.has(playerId)
    if (isInside && wasInside) tell(kept, (seq) => ({ type: 'playerMoved', playerId, position, seq }))
    else if (isInside) tell(kept, (seq) => ({ type: 'playerEntered', playerId, displayName, position, seq }))
    else if (wasInside) tell(kept, (seq) => ({ type: 'playerLeft', playerId, seq }))
    if (isInside) kept.inside.add(playerId)
    else kept.inside.delete(playerId)
  }
  const change = (id: string, changes: Partial<Zone>) => {
    const kept = all.get(id)
    if (kept === undefined) return noZone
    kept.zone = { ...kept.zone, ...changes, updatedAt: new Date().toISOString() }
    tell(kept, (seq) => ({ type: 'zone', zone: kept.zone, seq }))
    return kept.zone
  }

  const edit = (
    kept: Kept,
    end: FakeEnd,
    account: FakeAccount,
    { ref, edits, partial }: { ref: number; edits: BlockEdit[]; partial?: boolean },
  ) => {
    const rejected = edits.flatMap((one, index) => {
      if (!contains(kept.zone, one)) return [{ index, reason: 'outside-zone' }]
      return fakeBlocks.some(({ id }) => id === one.type) ? [] : [{ index, reason: 'unknown-block' }]
    })
    const ok = rejected.length === 0 || partial === true
    const applied = ok ? edits.filter((_, index) => !rejected.some((one) => one.index === index)) : []
    if (applied.length > 0) build(applied, account.playerId)
    send(end, { type: 'result', ref, ok, applied: applied.length, rejected })
  }
  const resume = (kept: Kept, end: FakeEnd, since: number): void => {
    const missed = kept.log.filter((text) => JSON.parse(text).seq > since)
    // A number of an earlier server cannot be resumed.
    if (since > kept.seq || kept.seq - since > missed.length)
      send(end, { type: 'zone', zone: kept.zone, seq: kept.seq, reset: true })
    else for (const text of missed) end.send(text)
  }

  return {
    /** Opens the feed of the zone at this address; undefined if the address is not that of a feed. */
    open: (address: URL, end: FakeEnd): 'accepted' | 'refused' | undefined => {
      const [, id = ''] = /^\/api\/admin\/ws\/instances\/([^/]+)$/.exec(address.pathname) ?? []
      if (id === '') return undefined
      const kept = all.get(decodeURIComponent(id))
      const account = find(end.protocols.find((name) => name.startsWith('bearer.'))?.slice('bearer.'.length) ?? '')
      if (kept === undefined || account === undefined) return 'refused'
      kept.feeds.add(end)
      end.onGone = () => void kept.feeds.delete(end)
      end.onFrame = (frame) => {
        const message = JSON.parse(String(frame))
        if (message.type === 'edit') edit(kept, end, account, message)
        else if (message.type === 'resume') resume(kept, end, message.since)
        else if (message.type === 'renew') send(end, { type: 'renewed' })
        else send(end, { type: 'error', code: 'unknown-message', message: 'Unknown message.' })
      }
      send(end, { type: 'zone', zone: kept.zone, seq: kept.seq })
      for (const seen of players())
        if (contains(kept.zone, seen.position)) {
          const { account: other, position } = seen
          send(end, { type: 'playerEntered', playerId: other.playerId, displayName: other.displayName, position })
        }
      return 'accepted'
    },
    /** Reports blocks that have changed; `was` is the type before. */
    changed: (edits: readonly (BlockEdit & { readonly was: string })[], by: string): void => {
      for (const kept of all.values()) {
        const within = edits.filter((one) => contains(kept.zone, one))
        if (within.length > 0) tell(kept, (seq) => ({ type: 'blocks', edits: within, by, seq }))
      }
    },
    moved: (seen: Seen): void => {
      for (const kept of all.values()) show(kept, seen)
    },
    left: ({ account: { playerId } }: Seen): void => {
      for (const kept of all.values())
        if (kept.inside.delete(playerId)) tell(kept, (seq) => ({ type: 'playerLeft', playerId, seq }))
    },
    serveRoutes: (serve: Serve): void => {
      serve('GET /api/admin/instances', ({ query }) =>
        [...all.values()].map(({ zone }) => zone).filter(({ world }) => query.world === undefined || query.world === world),
      )
      serve(
        'POST /api/admin/instances',
        ({ body, account }) => {
          const at = new Date().toISOString()
          const kept: Kept = {
            zone: {
              id: crypto.randomUUID(),
              world: 'fake',
              ...body,
              enabled: true,
              clipPlanes: { x: plane, y: plane, z: plane },
              shortcutBarPages: [],
              owner: account.playerId,
              createdAt: at,
              updatedAt: at,
            },
            seq: 0,
            log: [],
            feeds: new Set(),
            inside: new Set(),
          }
          all.set(kept.zone.id, kept)
          for (const seen of players()) show(kept, seen)
          return kept.zone
        },
        201,
      )
      serve('GET /api/admin/instances/{id}', ({ params }) => {
        const kept = all.get(params.id)
        return kept === undefined ? noZone : kept.zone
      })
      serve('PUT /api/admin/instances/{id}', ({ params, body }) => change(params.id, body))
      serve('PUT /api/admin/instances/{id}/enabled', ({ params, body }) => change(params.id, body))
      serve('PUT /api/admin/instances/{id}/bounds', ({ params, body }) => change(params.id, body))
      serve('PUT /api/admin/instances/{id}/chunks', ({ params, body }) => change(params.id, body))
      serve('PUT /api/admin/instances/{id}/layout', ({ params, body }) => change(params.id, body))
      serve('PUT /api/admin/instances/{id}/rules', ({ params, body }) =>
        change(params.id, { rules: { ...body, build: body.build ?? 'permission', enter: body.enter ?? 'everyone' } }),
      )
      serve('PUT /api/admin/instances/{id}/members', ({ params, body }) => change(params.id, { members: body }))
      serve('DELETE /api/admin/instances/{id}', ({ params }) => {
        const kept = all.get(params.id)
        if (kept === undefined) return noZone
        all.delete(params.id)
        tell(kept, (seq) => ({ type: 'deleted', seq }))
        for (const end of kept.feeds) end.close(1000, 'deleted')
        return undefined
      })
      serve('GET /api/admin/instances/{id}/blocks', ({ params }) => {
        const kept = all.get(params.id)
        if (kept === undefined) return noZone
        const { yMin, yMax, chunks } = kept.zone
        const lines: string[] = []
        for (let y = yMin; y <= yMax; y += 1)
          for (const { cx, cz } of chunks)
            for (let at = 0; at < 256; at += 1) {
              const [x, z] = [cx * 16 + Math.floor(at / 16), cz * 16 + (at % 16)]
              const type = typeAt(x, y, z)
              if (type !== 'air') lines.push(`${JSON.stringify({ x, y, z, type })}\n`)
            }
        return lines.join('')
      })
    },
  }
}
