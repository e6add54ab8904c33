import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { type Body, cellBlocks, createBody } from '../../../realtime/interest/cells.ts'
import { createInterest, type Interest } from '../../../realtime/interest/interest.ts'
import { createViewer, type Viewer } from '../../../realtime/interest/viewer.ts'
import type { FrameFate, FrameKind } from '../../../realtime/protocol/messages.ts'
import {
  createPlayersModel,
  type KnownPlayer,
  type PlayersModel,
  readPlayersFrame,
} from '../../support/realtime/players-model.ts'

const cellCoordinate = (blocks: number): number => Math.floor(blocks / cellBlocks)

type Player = { body: Body; viewer: Viewer | undefined; model: PlayersModel; frames: number; bytes: number; congested: boolean }

const radiusMax = 3
const placement = (x: number, z: number, y = 64) => ({ x, y, z, yaw: 0, pitch: 0 })

const createWorld = () => {
  const interest: Interest = createInterest()
  const players: Player[] = []
  let nextRef = 1
  let freed: number[] = []
  const world = {
    interest,
    players,
    join: (x: number, z: number, options: { kind?: FrameKind; radius?: number; blind?: boolean } = {}): Player => {
      const ref = freed.shift() ?? nextRef++
      const body = createBody(ref, `id-${ref}-${nextRef}`, `Player ${ref}`, placement(x, z))
      const player: Player = { body, viewer: undefined, model: createPlayersModel(), frames: 0, bytes: 0, congested: false }
      interest.addBody(body)
      if (options.blind !== true) world.attach(player, options.kind ?? 'binary', options.radius ?? 2)
      players.push(player)
      return player
    },
    attach: (player: Player, kind: FrameKind, radius: number) => {
      player.model.forget()
      const sendFrame = (frame: Uint8Array): FrameFate => {
        player.frames += 1
        player.bytes += frame.length
        player.model.apply(readPlayersFrame(frame))
        return 'written'
      }
      const sendMovement = (frame: Uint8Array): FrameFate => (player.congested ? 'left-out' : sendFrame(frame))
      player.viewer = createViewer(
        player.body,
        { kind, isCongested: () => player.congested, spareBytes: () => 0, sendFrame, sendMovement },
        radius,
      )
      interest.addViewer(player.viewer)
    },
    detach: (player: Player) => {
      if (player.viewer !== undefined) interest.removeViewer(player.viewer)
      player.viewer = undefined
    },
    leave: (player: Player) => {
      world.detach(player)
      interest.removeBody(player.body)
      players.splice(players.indexOf(player), 1)
      left.push(player.body.ref)
    },
    move: (player: Player, x: number, z: number) => interest.moveBody(player.body, { ...placement(x, z), yaw: 90, pitch: -45 }),
    flush: () => {
      interest.flush()
      freed = [...freed, ...left]
      left = []
    },
  }
  let left: number[] = []
  return world
}

const listInView = (players: readonly Player[], viewer: Player): Player[] =>
  players.filter(({ body }) => {
    const radius = viewer.viewer?.radius ?? -1
    const dx = Math.abs(cellCoordinate(body.x) - cellCoordinate(viewer.body.x))
    const dz = Math.abs(cellCoordinate(body.z) - cellCoordinate(viewer.body.z))
    return body !== viewer.body && Math.max(dx, dz) <= radius
  })

const expectMembership = (players: readonly Player[]): void => {
  for (const player of players) {
    if (player.viewer === undefined) continue
    const expected = listInView(players, player).map(({ body }) => `${body.ref} ${body.playerId} ${body.displayName}`)
    const known = [...player.model.known].map(([ref, { playerId, displayName }]) => `${ref} ${playerId} ${displayName}`)
    expect(known.sort().join()).toBe(expected.sort().join())
  }
}

const isPlaced = (known: KnownPlayer | undefined, { x, y, z, yaw, pitch }: Body): boolean =>
  known !== undefined &&
  Math.max(Math.abs(known.x - x), Math.abs(known.y - y), Math.abs(known.z - z)) <= 1 / 64 &&
  known.yaw === yaw &&
  known.pitch === pitch

const isNear = (one: Body, other: Body): boolean =>
  Math.abs(cellCoordinate(one.x) - cellCoordinate(other.x)) <= 1 && Math.abs(cellCoordinate(one.z) - cellCoordinate(other.z)) <= 1

/** A client may not know the last steps of players in distant cells yet. */
const expectPlaces = (players: readonly Player[], isDue: (viewer: Body, body: Body) => boolean): void => {
  const misplaced = players.flatMap((player) =>
    listInView(players, player)
      .filter(({ body }) => isDue(player.body, body))
      .filter(({ body }) => !isPlaced(player.model.known.get(body.ref), body))
      .map(({ body }) => `${player.body.displayName} has ${body.displayName} elsewhere`),
  )
  expect(misplaced).toEqual([])
}

const coordinate = fc.double({ min: -150, max: 150, noNaN: true })
const who = fc.nat(30)
const step = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constant('join' as const), x: coordinate, z: coordinate, text: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('leave' as const), who }) },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('walk' as const),
      who,
      x: fc.integer({ min: -20, max: 20 }),
      z: fc.integer({ min: -20, max: 20 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('teleport' as const), who, x: coordinate, z: coordinate }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('radius' as const), who, radius: fc.integer({ min: 1, max: radiusMax }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('lose' as const), who }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('resume' as const), who, text: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('congest' as const), who }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('rename' as const), who, name: fc.string({ minLength: 1, maxLength: 8 }) }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('flush' as const) }) },
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never
type World = ReturnType<typeof createWorld>

const apply = (world: World, one: Step): void => {
  const player = 'who' in one ? world.players[one.who % world.players.length] : undefined
  if (one.do === 'join') world.join(one.x, one.z, { kind: one.text ? 'text' : 'binary' })
  if (one.do === 'flush') world.flush()
  if (player === undefined) return
  if (one.do === 'leave') world.leave(player)
  if (one.do === 'walk') world.move(player, player.body.x + one.x, player.body.z + one.z)
  if (one.do === 'teleport') world.move(player, one.x, one.z)
  if (one.do === 'radius' && player.viewer !== undefined) player.viewer.radius = one.radius
  if (one.do === 'lose') world.detach(player)
  if (one.do === 'resume' && player.viewer === undefined) world.attach(player, one.text ? 'text' : 'binary', 2)
  if (one.do === 'congest') player.congested = !player.congested
  if (one.do === 'rename') world.interest.renameBody(player.body, one.name)
}

describe('the view of a client', () => {
  it('contains exactly the players in range after every tick, near ones at their positions', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 20, maxLength: 150 }), (steps) => {
        const world = createWorld()
        for (let i = 0; i < 6; i += 1) world.join(i * 30 - 90, i * 10, { kind: i % 2 === 0 ? 'binary' : 'text' })
        for (const one of steps) {
          apply(world, one)
          if (one.do !== 'flush') continue
          expectMembership(world.players)
          const readers = world.players.filter(({ congested, viewer }) => !congested && viewer !== undefined && !viewer.isBehind)
          expectPlaces(readers, isNear)
        }
        for (const player of world.players) player.congested = false
        // Within three ticks every client knows every position.
        for (let i = 0; i < 4; i += 1) world.flush()
        expectMembership(world.players)
        expectPlaces(
          world.players.filter(({ viewer }) => viewer !== undefined),
          () => true,
        )
      }),
      { numRuns: 300 },
    )
  })
})

describe('frames', () => {
  it('are not sent when nothing changed, nor for the player’s own steps', () => {
    const world = createWorld()
    const [ann, bob] = [world.join(0, 0), world.join(5, 5)]
    world.flush()
    expect([ann.frames, bob.frames]).toEqual([1, 1])
    world.flush()
    expect([ann.frames, bob.frames]).toEqual([1, 1])
    world.move(ann, 1, 1)
    world.flush()
    expect([ann.frames, bob.frames]).toEqual([1, 2])
    const alone = world.join(10_000, 0)
    for (let x = 0; x < 100; x += 9) {
      world.move(alone, 10_000 + x, 0)
      world.flush()
    }
    expect(alone.frames).toBe(0)
  })

  it('are one shared buffer for all clients in a cell with the same radius', () => {
    const interest = createInterest()
    const sent: Uint8Array[] = []
    const keep = (frame: Uint8Array): FrameFate => {
      sent.push(frame)
      return 'waiting'
    }
    const sink = {
      kind: 'binary' as const,
      isCongested: () => false,
      spareBytes: () => 0,
      sendFrame: keep,
      sendMovement: keep,
    }
    const bodies = [1, 2, 3, 4].map((ref) => createBody(ref, `id-${ref}`, `P${ref}`, placement(ref, ref)))
    for (const body of bodies) {
      interest.addBody(body)
      interest.addViewer(createViewer(body, sink, 2))
    }
    interest.flush()
    sent.length = 0
    for (const body of bodies) interest.moveBody(body, placement(body.x + 1, body.z))
    interest.flush()
    expect(sent).toHaveLength(4)
    expect(new Set(sent).size).toBe(1)
  })

  it('use 10 bytes for each player who moved', () => {
    const world = createWorld()
    const watcher = world.join(0, 0)
    const others = Array.from({ length: 100 }, (_unused, i) => world.join(i % 30, Math.floor(i / 4), { blind: true }))
    world.flush()
    watcher.bytes = 0
    for (const other of others) world.move(other, other.body.x + 0.5, other.body.z)
    world.flush()
    expect(watcher.bytes).toBeLessThan(100 * 10 + 30)
  })

  it('hold only arrivals and departures during congestion, and all positions afterwards', () => {
    const world = createWorld()
    const [ann, bob] = [world.join(0, 0), world.join(5, 5)]
    world.flush()
    ann.congested = true
    ann.frames = 0
    world.move(bob, 6, 6)
    world.flush()
    expect(ann.frames).toBe(0)
    world.join(3, 3)
    world.flush()
    expect(ann.frames).toBe(1)
    expect(ann.model.known.get(bob.body.ref)).toMatchObject({ x: 5 })
    ann.congested = false
    world.flush()
    expect(ann.model.known.get(bob.body.ref)).toMatchObject({ x: 6 })
  })

  it.each([
    ['neighbouring cells in each tick', 127, 21],
    ['distant cells in every third tick', 129, 7],
  ])('hold steps in %s', (_rate, x, frames) => {
    const world = createWorld()
    const watcher = world.join(0, 0, { radius: 3 })
    const walker = world.join(x, 0, { blind: true })
    world.flush()
    watcher.frames = 0
    for (let step = 1; step <= 21; step += 1) {
      world.move(walker, x, step)
      world.flush()
    }
    expect(watcher.frames).toBe(frames)
    for (let i = 0; i < 2; i += 1) world.flush()
    expect(watcher.model.known.get(walker.body.ref)).toMatchObject({ z: 21 })
  })

  it('lose no step when the viewer leaves its cell and returns within a tick', () => {
    for (let wait = 0; wait < 3; wait += 1) {
      const world = createWorld()
      const [walker, other] = [world.join(60, 50), world.join(-20, -20)]
      for (let i = 0; i <= wait; i += 1) world.flush()
      world.move(other, -10, -10)
      world.flush()
      world.move(walker, 70, 31)
      world.move(walker, 60, 32)
      for (let i = 0; i < 3; i += 1) world.flush()
      expect(walker.model.known.get(other.body.ref)).toMatchObject({ x: -10, z: -10 })
    }
  })
})
