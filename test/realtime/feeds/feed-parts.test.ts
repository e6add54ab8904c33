import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { readFeedCredential } from '../../../realtime/feeds/door/feed-credential.ts'
import { isOwnOrigin } from '../../../realtime/feeds/door/is-own-origin.ts'
import { createFeedHistory } from '../../../realtime/feeds/feed-history.ts'
import { createFeedIndex } from '../../../realtime/feeds/feed-index.ts'
import { createZoneFeed } from '../../../realtime/feeds/zone-feed.ts'
import { createZone } from '../../support/zones/stored-zones.ts'

describe('the history of a feed', () => {
  const frameOf = (seq: number, bytes = 4) => Buffer.alloc(bytes, seq)

  it('returns the messages after a number, and an empty list when none are missing', () => {
    const history = createFeedHistory()
    for (let seq = 101; seq <= 105; seq += 1) history.add(frameOf(seq))
    expect(history.after(103, 105)).toEqual([frameOf(104), frameOf(105)])
    expect(history.after(100, 105)).toHaveLength(5)
    expect(history.after(105, 105)).toEqual([])
    expect(history.after(99, 105)).toBeUndefined()
    expect(history.after(106, 105)).toBeUndefined()
  })

  it('holds the last 1,024 messages, fewer when they are large', () => {
    const history = createFeedHistory()
    for (let seq = 1; seq <= 2000; seq += 1) history.add(frameOf(seq))
    expect(history.after(2000 - 1024, 2000)).toHaveLength(1024)
    expect(history.after(2000 - 1025, 2000)).toBeUndefined()
    const small = createFeedHistory({ messages: 1024, bytes: 100 })
    for (let seq = 1; seq <= 10; seq += 1) small.add(frameOf(seq, 30))
    expect(small.after(7, 10)).toHaveLength(3)
    expect(small.after(6, 10)).toBeUndefined()
    small.add(frameOf(11, 500))
    expect(small.after(10, 11)).toBeUndefined()
    small.add(frameOf(12))
    expect(small.after(11, 12)).toEqual([frameOf(12)])
  })
})

describe('a client that joins a feed', () => {
  const open = () => {
    const feed = createZoneFeed(createZone(), { startSeq: 10 })
    const received: string[] = []
    const reader = {
      send: (frame: Uint8Array) => {
        received.push(Buffer.from(frame).toString('latin1'))
      },
    }
    feed.publish({ type: 'blocks', edits: [], by: 'earlier' })
    return { feed, received, reader }
  }

  it('receives only messages after its zone record within a tick', () => {
    const { feed, received, reader } = open()
    feed.join(reader)
    feed.flush()
    expect(received).toHaveLength(1)
    expect(received[0]).toContain('"seq":11')
    feed.publish({ type: 'blocks', edits: [], by: 'later' })
    feed.flush()
    expect(received[1]).toContain('"by":"later","seq":12')
  })

  it('receives all messages after a number on request, even if it has some already', () => {
    const { feed, received, reader } = open()
    feed.join(reader)
    feed.publish({ type: 'blocks', edits: [], by: 'queued' })
    feed.resume(reader, 11)
    feed.flush()
    expect(received.slice(1).map((frame) => frame.includes('"by":"queued","seq":12'))).toEqual([true, true])
    feed.leave(reader)
    feed.publish({ type: 'blocks', edits: [], by: 'after' })
    feed.flush()
    expect(received.join('')).not.toContain('after')
  })
})

describe('the origin of a page that opens a feed', () => {
  const rules = {
    baseUrl: 'https://game.example',
    allowedOrigins: ['https://admin.example'],
    trustedProxies: 0,
    loopbackPages: false,
  }
  const local = { ...rules, baseUrl: 'http://127.0.0.1:3000', loopbackPages: true }
  const proxied = { ...rules, trustedProxies: 1 }
  const forwarded = { host: 'node:3001', 'x-forwarded-host': 'play.example' }

  it.each([
    ['a client without a page', {}, rules, true],
    ['the base address', { origin: 'https://game.example' }, rules, true],
    ['the base address by another scheme', { origin: 'http://game.example' }, rules, false],
    ['the base address on another port', { origin: 'https://game.example:444' }, rules, false],
    ['an allowed one', { origin: 'https://admin.example' }, rules, true],
    ['one below an allowed one', { origin: 'https://x.admin.example' }, rules, false],
    ['the host of the request', { origin: 'http://lan:3000', host: 'lan:3000' }, rules, true],
    ['that host without its default port', { origin: 'https://lan', host: 'lan:443' }, rules, true],
    ['that host in another letter case', { origin: 'https://lan', host: 'LAN' }, rules, true],
    ['the host of the request at a trusted proxy', { origin: 'https://play.example', ...forwarded }, proxied, true],
    ['a forwarded host without a trusted proxy', { origin: 'https://play.example', ...forwarded }, rules, false],
    [
      'a forged host before that of the trusted proxy',
      { origin: 'https://evil.example', host: 'node', 'x-forwarded-host': 'evil.example, play.example' },
      proxied,
      false,
    ],
    ['a page of this machine', { origin: 'http://localhost:5173', host: '127.0.0.1:3000' }, local, true],
    ['that page on a server for other machines', { origin: 'http://localhost:5173', host: '127.0.0.1:3000' }, rules, false],
    ['that page by another name of the server', { origin: 'http://localhost:5173', host: 'game.example' }, local, false],
    ['that page behind a proxy', { origin: 'http://[::1]', host: '[::1]:3000' }, { ...local, trustedProxies: 1 }, false],
    ['nowhere', { origin: 'null', host: 'null' }, rules, false],
    ['a file', { origin: 'file://', host: '' }, rules, false],
    ['an address, not an origin', { origin: 'https://lan/path', host: 'lan' }, rules, false],
    ['rubbish', { origin: 'lan', host: 'lan' }, rules, false],
  ])('%s: %j', (_name, headers, by, isOwn) => {
    expect(isOwnOrigin(headers, by)).toBe(isOwn)
  })

  it('never throws, whatever the headers contain', () => {
    const text = fc.option(fc.string(), { nil: undefined })
    fc.assert(
      fc.property(text, text, text, fc.nat({ max: 3 }), (origin, host, other, trustedProxies) => {
        const headers = { origin, host, 'x-forwarded-host': other, authorization: other, 'sec-websocket-protocol': host }
        expect(typeof isOwnOrigin(headers, { ...rules, trustedProxies })).toBe('boolean')
        expect(readFeedCredential(headers)).toBeDefined()
      }),
    )
  })
})

describe('feeds by place', () => {
  const zone = fc.record({
    yMin: fc.integer({ min: 0, max: 20 }),
    height: fc.integer({ min: 1, max: 20 }),
    chunks: fc.uniqueArray(fc.record({ cx: fc.integer({ min: -2, max: 2 }), cz: fc.integer({ min: -2, max: 2 }) }), {
      minLength: 1,
      maxLength: 8,
      selector: ({ cx, cz }) => `${cx} ${cz}`,
    }),
  })
  const step = fc.record({ feed: fc.nat({ max: 3 }), zone: fc.option(zone) })
  const place = fc.record({
    x: fc.double({ min: -40, max: 40, noNaN: true }),
    y: fc.double({ min: 0, max: 45, noNaN: true }),
    z: fc.double({ min: -40, max: 40, noNaN: true }),
  })

  it('include every feed whose zone has the block, also after zones move', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), fc.array(place, { minLength: 1, maxLength: 20 }), (steps, places) => {
        const index = createFeedIndex()
        const feeds = Array.from({ length: 4 }, () => createZoneFeed(createZone(), { startSeq: 0 }))
        const placed = new Set<(typeof feeds)[number]>()
        for (const { feed: at, zone: moved } of steps) {
          const feed = feeds[at]
          if (feed === undefined) continue
          if (moved === null) {
            index.remove(feed)
            placed.delete(feed)
          } else {
            feed.zone = { ...feed.zone, yMin: moved.yMin, yMax: moved.yMin + moved.height, chunks: moved.chunks }
            index.put(feed)
            placed.add(feed)
          }
        }
        for (const { x, y, z } of places) {
          const expected = [...placed].filter(
            ({ zone: { chunks, yMin, yMax } }) =>
              Math.floor(y) >= yMin &&
              Math.floor(y) <= yMax &&
              chunks.some(({ cx, cz }) => cx === Math.floor(x / 16) && cz === Math.floor(z / 16)),
          )
          expect(new Set(index.feedsAt(x, y, z))).toEqual(new Set(expected))
        }
      }),
    )
  })
})
