import { Script } from 'node:vm'
import { afterEach, describe, expect, it, jest } from '@jest/globals'
import { createOperator } from '../../../realtime/commands/executor/operator.ts'
import type { ClientMessageKind } from '../../../realtime/protocol/messages.ts'
import { type GameWithModules, startGameWithModules } from '../../support/modules/game-with-modules.ts'

type Place = { readonly x: number; readonly y: number; readonly z: number }
type MoveEvent = { readonly player: { readonly place: Place }; readonly to: Place }

const ends: (() => unknown)[] = []
afterEach(async () => {
  jest.restoreAllMocks()
  for (const end of ends.splice(0)) await end()
})

const start = async (...[specs, options]: Parameters<typeof startGameWithModules>) => {
  const game = await startGameWithModules(specs, options)
  ends.push(game.close)
  return game
}

/** Refuses places beyond x = 2, and keeps the places that it was asked about. */
const createFence = () => {
  const asked: string[] = []
  const move = ({ player, to }: MoveEvent) => {
    asked.push(`${player.place.x} to ${to.x}`)
    return to.x > 2 ? { refuse: 'Stay here.' } : undefined
  }
  return { asked, spec: { needs: ['every-move'], decide: { move } } }
}

const linesOf = ({ received }: { readonly received: readonly { readonly $case: string; readonly value: object }[] }) =>
  received.flatMap(({ $case, value }) => ($case === 'chatMessage' && 'text' in value ? [value.text] : []))

describe('decide.move', () => {
  it('is asked about all moves of a tick under one time limit', async () => {
    const { asked, spec } = createFence()
    const { join, tick } = await start({ fence: spec, other: { needs: ['every-move'], decide: { move: () => undefined } } })
    const players = []
    for (const name of ['ann', 'bob', 'cid']) players.push(await join(name))
    tick()
    const limits = jest.spyOn(Script.prototype, 'runInContext')
    for (const { move } of players) for (const [seq, x] of [1, 1.5, 2].entries()) move({ x }, seq)
    tick()
    expect(limits).toHaveBeenCalledTimes(1)
    expect(asked).toHaveLength(9)
    expect(players.map(({ placeOf }) => placeOf()?.x)).toEqual([2, 2, 2])
  })

  it('puts a refused player back in the same tick, and asks about the next move from there', async () => {
    const { asked, spec } = createFence()
    const { join, tick } = await start({ fence: spec })
    const ann = await join('ann')
    ann.move({ x: 1 }, 1)
    ann.move({ x: 3 }, 2)
    ann.move({ x: 1.5 }, 3)
    tick()
    expect(asked).toEqual(['0.5 to 1', '1 to 3', '1 to 1.5'])
    expect(ann.find('correction')).toMatchObject({
      reason: 'module-rules: fence: Stay here.',
      refusedBy: { module: 'fence', text: 'Stay here.' },
      position: { x: 1.5 },
    })
    expect(ann.placeOf()).toMatchObject({ x: 1.5 })
  })

  it('keeps the messages of a player in order', async () => {
    const { spec } = createFence()
    const places: number[] = []
    const chat = ({ player }: MoveEvent): void => void places.push(player.place.x)
    const { join, tick } = await start({ fence: spec, listener: { decide: { chat } } })
    const ann = await join('ann')
    for (const [seq, x] of [1, 3, 1.5].entries()) {
      ann.move({ x }, seq)
      ann.send({ $case: 'chat', value: { text: `at ${x}` } })
    }
    tick()
    expect(places).toEqual([1, 1, 1.5])
    expect(linesOf(ann)).toEqual(['at 1', 'at 3', 'at 1.5'])
  })

  it('does not undo a teleport of the same tick', async () => {
    const { spec } = createFence()
    const { join, tick, loop } = await start({ fence: spec })
    const ann = await join('ann')
    ann.move({ x: 1 })
    loop.live.teleport(ann.account.playerId, { x: 20.5, y: 64, z: 0.5, yaw: 0, pitch: 0 })
    tick()
    tick()
    expect(ann.placeOf()).toMatchObject({ x: 20.5 })
  })
})

describe('a decision about a player who leaves in the same tick', () => {
  const yes = () => undefined
  const decide = { chat: yes, edit: yes, command: yes }
  const ran: string[] = []
  const commands = { note: { description: 'Notes.', forms: [[]], permission: 'none', run: () => void ran.push('note') } }
  const requests: Readonly<Record<'chat' | 'command' | 'edit', ClientMessageKind>> = {
    chat: { $case: 'chat', value: { text: 'too late' } },
    command: { $case: 'command', value: { seq: 1, text: '/note' } },
    edit: { $case: 'editBlocks', value: { seq: 1, edits: [{ x: 2, y: 64, z: 2, type: 'stone' }] } },
  }

  it.each(['chat', 'command', 'edit'] as const)('has no effect after its %s', async (kind) => {
    ran.length = 0
    const { join, tick, loop, made, world } = await start({ all: { decide, commands } })
    const [ann, bob] = [await join('ann'), await join('bob')]
    while (world.loaded.blockAt(2, 64, 2) === undefined) {
      await new Promise(setImmediate)
      tick()
    }
    ann.send(requests[kind])
    ann.send({ $case: 'disconnect', value: {} })
    for (let ticks = 0; ticks < 5; ticks += 1) {
      await new Promise(setImmediate)
      tick()
    }
    expect(loop.live.listPlayers().map(({ displayName }) => displayName)).toEqual(['bob'])
    expect([linesOf(bob), ran, made]).toEqual([[], [], []])
  })

  it('has no effect when a ban ends the session', async () => {
    const { join, tick, sanctions } = await start({ all: { decide } })
    const [ann, bob] = [await join('ann'), await join('bob')]
    ann.send(requests.chat)
    await sanctions.impose(createOperator('test'), {
      kind: 'ban',
      email: ann.account.email,
      reason: 'spam',
      until: '2999-01-01T00:00:00.000Z',
    })
    tick()
    expect(ann.find('kick')).toMatchObject({ code: 'banned' })
    expect(linesOf(bob)).toEqual([])
  })
})

describe('a module that stops before it answers', () => {
  const forever = (_caller: unknown, _args: unknown, game: { later(work: () => unknown, then: () => unknown): unknown }) =>
    game.later(
      () => new Promise(() => {}),
      () => 'never',
    )
  const slow = { commands: { wait: { description: 'Never answers.', forms: [[]], permission: 'none', run: forever } } }

  it('refuses the commands that wait for it, so that the player can run others', async () => {
    const { join, tick, moduleHost } = await start({ slow })
    const ann = await join('ann')
    const answers = () => ann.received.filter(({ $case }) => $case === 'commandResult')
    const until = async (isDone: () => boolean): Promise<void> => {
      while (!isDone()) {
        await new Promise(setImmediate)
        tick()
      }
    }
    for (let seq = 1; seq <= 4; seq += 1) ann.send({ $case: 'command', value: { seq, text: '/wait' } })
    for (let ticks = 0; ticks < 5; ticks += 1) {
      tick()
      await new Promise(setImmediate)
    }
    expect(answers()).toEqual([])
    const ended = moduleHost.setEnabled('slow', false)
    await until(() => answers().length === 4)
    await ended
    expect(ann.find('commandResult')).toMatchObject({ ok: false, text: expect.stringContaining('stopped before it answered') })
    ann.send({ $case: 'command', value: { seq: 5, text: '/who' } })
    await until(() => answers().length === 5)
    expect(ann.find('commandResult')).toMatchObject({ seq: 5, ok: true })
    // Without beats the watch thread would end the process.
    const beats = jest.spyOn(Atomics, 'add')
    tick()
    expect(beats).toHaveBeenCalledTimes(1)
  })
})

describe('modules.yaml', () => {
  const spin = (): void => {
    for (;;);
  }
  it.each([
    ['refuse', 'error'],
    ['allow', 'chatMessage'],
  ] as const)('with whenOff: %s decides about chat while the module is off', async (whenOff, answer) => {
    const { join, tick, moduleHost } = await start(
      { guard: { decide: { chat: spin } } },
      { modules: { modules: { guard: { whenOff } } } },
    )
    const ann = await join('ann')
    // On a busy machine the third call that is ended switches the module off.
    for (const text of ['one', 'two', 'three', 'four']) {
      ann.send({ $case: 'chat', value: { text } })
      tick()
    }
    expect(moduleHost.list()).toMatchObject([{ name: 'guard', state: 'off' }])
    expect(ann.received.at(-1)?.$case).toBe(answer)
  })

  it('with required: true refuses the start of a node without that module', async () => {
    const started = startGameWithModules(
      { guard: { on: { nonsense: spin } } },
      { modules: { modules: { guard: { required: true } } } },
    )
    await expect(started).rejects.toMatchObject({ slug: 'module-not-loaded' })
  })
})

describe('game.job', () => {
  it('uses time that is left of ticks, and does not slow its module', async () => {
    const burn = (game: GameWithModules | undefined) => game?.clock.advance(10)
    let started: GameWithModules | undefined
    const long = {
      on: {
        start: (_event: object, game: { job(name: string, work: () => Iterator<unknown>): void }) =>
          game.job('long', function* () {
            for (;;) yield burn(started)
          }),
      },
    }
    started = await start({ long, busy: { on: { tick: () => burn(started) } } })
    for (let ticks = 0; ticks < 100; ticks += 1) started.tick()
    const states = started.moduleHost.list().map(({ name, state, handlers }) => [name, state, handlers[0]?.handler])
    expect(states).toEqual([
      ['busy', 'slowed', 'on.tick'],
      ['long', 'running', 'job long'],
    ])
  })
})
