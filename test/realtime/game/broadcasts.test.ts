import { describe, expect, it } from '@jest/globals'
import { createBroadcasts } from '../../../realtime/game/broadcasts.ts'
import type { ChatBudget } from '../../../realtime/game/chat-lines.ts'
import type { ChatLine } from '../../../realtime/node-links/chat-line.ts'
import type { FrameKind } from '../../../realtime/protocol/messages.ts'
import type { Session } from '../../../realtime/sessions/session.ts'
import { readMessages } from '../../support/realtime/split-frames.ts'
import { createCapturedLog } from '../../support/time/silent-log.ts'

const shipped: ChatBudget = { chatBytesPerSecond: 320_000, chatBytesPerTick: 8_388_608 }

const createScene = (
  kinds: readonly FrameKind[] = ['binary'],
  clients = kinds.length,
  settings = shipped,
  ignored: readonly ReadonlySet<string>[] = [],
) => {
  const writes: Uint8Array[][] = kinds.map(() => [])
  const sessions = kinds.map(
    (kind, at) =>
      ({
        connection: { kind, sendFrame: (frame: Uint8Array) => writes[at]?.push(frame) },
        ignored: ignored[at] ?? new Set(),
      }) as unknown as Session,
  )
  const { log, lines } = createCapturedLog()
  const counted = new Map<string, number>()
  const told: (readonly ChatLine[])[] = []
  const broadcasts = createBroadcasts({
    sessions: { all: () => sessions, count: () => ({ connected: clients, detached: 0 }) },
    settings: () => settings,
    tell: (said) => told.push(said),
    said: () => undefined,
    metrics: { countChat: (outcome, lines) => counted.set(outcome, (counted.get(outcome) ?? 0) + lines) },
    log,
  })
  let nowMs = 0
  const tick = (during = () => {}): void => {
    nowMs += 50
    broadcasts.beginTick(nowMs)
    during()
    broadcasts.flush()
  }
  const heardBy = (at = 0) => (writes[at] ?? []).flatMap((frames) => readMessages(frames)).map(({ value }) => value)
  return { broadcasts, writes, told, counted, lines, tick, heardBy }
}

const line = (text: string): ChatLine => ({ channel: 'global', from: 'Ann', text })
const lines = (count: number, text = 'hello'): ChatLine[] => Array.from({ length: count }, (_, at) => line(`${text} ${at}`))

describe('the chat of a tick', () => {
  it('sends the lines of all nodes to each client in one write, and local lines to other nodes', () => {
    const { broadcasts, writes, told, tick, heardBy } = createScene(['binary', 'text', 'binary'])
    broadcasts.hear([line('from afar')])
    tick(() => {
      broadcasts.say(line('one'))
      broadcasts.say(line('two'))
    })
    const all = [line('one'), line('two'), line('from afar')]
    for (const at of [0, 1, 2]) expect([writes[at]?.length, heardBy(at)]).toEqual([1, all])
    expect(writes[0]?.[0]).toBe(writes[2]?.[0])
    expect(told).toEqual([[line('one'), line('two')]])
  })

  it('leaves out lines of ignored players, for that client only', () => {
    const [ann, ben] = [new Set(['ann']), new Set(['ben'])]
    const { broadcasts, writes, told, tick, heardBy } = createScene(['binary', 'text', 'binary', 'binary'], 4, shipped, [
      ann,
      ann,
      ben,
    ])
    broadcasts.hear([{ ...line('from afar'), by: 'ann' }])
    tick(() => {
      broadcasts.say({ ...line('one'), by: 'ann' })
      broadcasts.say({ ...line('two'), by: 'cid' })
    })
    const [one, two, afar] = [line('one'), line('two'), line('from afar')]
    const heard = [
      { ...one, fromId: 'ann' },
      { ...two, fromId: 'cid' },
      { ...afar, fromId: 'ann' },
    ]
    expect([0, 1, 2, 3].map(heardBy)).toEqual([heard.slice(1, 2), heard.slice(1, 2), heard, heard])
    expect(writes[2]?.[0]).toBe(writes[3]?.[0])
    expect(told.flat()).toEqual([
      { ...one, by: 'ann' },
      { ...two, by: 'cid' },
    ])
    tick(() => broadcasts.say({ ...line('alone'), by: 'ann' }))
    expect([0, 1, 2, 3].map((at) => writes[at]?.length)).toEqual([1, 1, 2, 2])
    expect(broadcasts.lastLines()).toEqual([afar, one, two, line('alone')])
  })

  it('sends nothing when there are no lines', () => {
    const { writes, told, tick } = createScene()
    tick()
    expect([writes, told]).toEqual([[[]], []])
  })

  it('is sent before actions that wait for it', () => {
    const { broadcasts, writes, tick } = createScene()
    const order: number[] = []
    tick(() => {
      broadcasts.afterLines(() => order.push(writes[0]?.length ?? 0))
      broadcasts.say(line('hi'))
    })
    tick()
    expect(order).toEqual([1])
  })

  it('refuses local lines over its bytes per client, and delays lines of other nodes', () => {
    const { broadcasts, writes, told, counted, tick, heardBy } = createScene()
    const said: boolean[] = []
    tick(() => said.push(...lines(200, 'x'.repeat(500)).map(broadcasts.say)))
    const taken = said.filter(Boolean).length
    expect(taken).toBeGreaterThan(110)
    expect(taken).toBeLessThan(130)
    expect(said.indexOf(false)).toBe(taken)
    expect(told.flat()).toHaveLength(taken)
    expect(Object.fromEntries(counted)).toEqual({ said: taken, refused: 200 - taken })
    broadcasts.hear(lines(100, 'y'.repeat(500)))
    for (let ticks = 0; ticks < 10; ticks += 1) tick()
    expect(heardBy().length).toBe(taken + 100)
    const [burst = 0, ...rest] = (writes[0] ?? []).map(({ length }) => length)
    expect(burst).toBeLessThanOrEqual(65_536)
    expect(Math.max(...rest)).toBeLessThanOrEqual(2 * 16_000)
  })

  it('has a limit in bytes for all clients together, but always room for one line', () => {
    const { broadcasts, heardBy, tick } = createScene(['binary'], 20_000)
    tick(() => {
      expect(broadcasts.say(line('x'.repeat(512)))).toBe(true)
      expect(broadcasts.say(line('x'))).toBe(false)
    })
    tick(() => expect(lines(40).map(broadcasts.say).filter(Boolean).length).toBeLessThan(20))
    expect(heardBy().length).toBeGreaterThan(5)
  })

  it('is shared between this node and others while both exceed it', () => {
    const { broadcasts, tick, told, heardBy } = createScene()
    for (let ticks = 0; ticks < 20; ticks += 1) {
      broadcasts.hear(lines(600))
      tick(() => lines(1000).map(broadcasts.say))
    }
    const own = told.flat().length
    const others = heardBy().length - own
    expect(own).toBeGreaterThan(3000)
    expect(others).toBeGreaterThan(3000)
  })

  it('alternates between both sides when a tick has room for one line only', () => {
    const { broadcasts, tick, told, heardBy } = createScene(['binary'], 20_000)
    broadcasts.hear(lines(100, 'y'.repeat(500)))
    for (let ticks = 0; ticks < 40; ticks += 1) tick(() => broadcasts.say(line('x'.repeat(512))))
    const own = told.flat().length
    expect(own).toBeGreaterThan(10)
    expect(heardBy().length - own).toBeGreaterThan(10)
  })

  it('drops lines of other nodes when their queue is full, and logs the count once a second', () => {
    const { broadcasts, lines: logged, counted, tick, heardBy } = createScene()
    broadcasts.hear(lines(2000))
    broadcasts.hear(lines(300))
    broadcasts.hear(lines(5))
    for (let ticks = 0; ticks < 10; ticks += 1) tick()
    expect(heardBy()).toHaveLength(2000)
    expect(logged).toMatchObject([{ lines: 305 }])
    expect(Object.fromEntries(counted)).toEqual({ heard: 2000, dropped: 305 })
    broadcasts.hear(lines(2001))
    tick()
    expect(logged).toHaveLength(1)
    for (let ticks = 0; ticks < 20; ticks += 1) tick()
    expect(logged).toMatchObject([{ lines: 305 }, { lines: 1 }])
  })
})

describe('the budget of chat', () => {
  const sayAll = (settings: ChatBudget, clients: number): number => {
    const { broadcasts, tick } = createScene(['binary'], clients, settings)
    let said = 0
    tick(() => {
      for (const each of lines(100, 'x'.repeat(200))) if (broadcasts.say(each)) said += 1
    })
    return said
  }

  it('follows the settings, for each client and for the node', () => {
    expect(sayAll(shipped, 1)).toBe(100)
    expect(sayAll({ ...shipped, chatBytesPerTick: 22_000 }, 10)).toBe(9)
    expect(sayAll({ ...shipped, chatBytesPerSecond: 20_000 }, 1)).toBe(18)
  })
})
