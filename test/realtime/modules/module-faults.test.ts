import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createModuleFaults } from '../../../realtime/modules/module-faults.ts'
import { systemIds } from '../../../shared/kernel/ids.ts'
import { type NodeWithModules, startNodeWithModules } from '../../support/modules/node-with-modules.ts'
import { createFixedClock } from '../../support/time/fixed-clock.ts'
import { silentLog } from '../../support/time/silent-log.ts'
import { waitFor } from '../../support/time/wait-for.ts'

let node: NodeWithModules

const command = (run: string) => `{ description: 'Test.', forms: [[]], permission: 'none', run: ${run} }`

const modules = {
  calm: `commands: { calm: ${command(`(caller) => \`calm \${caller.name}\``)} }`,
  throws: `declare: { permissions: { 'module.throws.build': 'Build.' } }, commands: {
    half: ${command(`(caller) => { caller.tell('dropped'); caller.teleport({ x: 9, y: 90, z: 9 }); throw new Error('broken on purpose') }`)},
    promise: ${command(`(caller) => Promise.resolve('never')`)},
    may: ${command(`(caller) => String(caller.may('module.throws.bild'))`)},
    later: ${command(`(caller, args, game) => game.later(async () => { throw new Error('no store') }, () => 'never')`)},
    caught: ${command(
      `(caller, args, game) => game.later(async () => { throw new Error('no store') }, () => 'never', (error) => error.message)`,
    )},
    outside: ${command(`(caller, args, game) => game.later(async () => { await null; caller.tell('dropped') }, () => 'never')`)},
  }`,
  decider: `decide: { chat: ({ player, text }) => {
    if (text === 'throw') throw new Error('cannot decide')
    if (text === 'effect') player.tell('dropped')
  } }`,
  loops: `decide: { edit: () => undefined }, commands: { loop: ${command(
    `() => { for (;;) { try { for (;;) {} } catch { } finally { } } }`,
  )} }`,
  keeps: `declare: {
    player: { schema: Type.Object({ n: Type.Integer({ default: 0 }), list: Type.Array(Type.String(), { default: [] }) }) },
    state: { schema: Type.Object({ n: Type.Integer({ default: 0 }) }) },
  },
  decide: { chat: ({ player, text }) => { if (text === 'decide') player.data.list.push('x') } },
  on: { said: ({ player, text }, game) => {
    player.data.n += 1
    game.state.n += 1
    if (text === 'said') throw new Error('after a change')
  } },
  commands: {
    data: ${command(`(caller, args, game) => JSON.stringify([caller.data, game.state])`)},
    answer: ${command(`(caller, args, game) => game.later(async () => 1, () => { caller.data.n += 1; throw new Error('after a change') })`)},
    unfit: ${command(`(caller) => { caller.data.n += 0.5; return 'done' }`)},
    endless: ${command(`(caller) => { caller.data.n += 1; for (;;); }`)},
  }`,
  waits: `commands: { wait: ${command(`() => { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2000); return 'done' }`)} }`,
  timed: `on: { start: (event, game) => { game.every(1, () => { throw new Error('each time') }) } }`,
}

beforeAll(async () => {
  node = await startNodeWithModules(modules)
})
afterAll(() => node.close())

const statusOf = (name: string) => node.moduleHost.list().find((module) => module.name === name)

describe('a faulty module', () => {
  it('answers module-failed with an id that is in the log, without the text of the exception', async () => {
    const { client } = await node.join('Ann')
    client.command('/half')
    const reply = await client.next('commandResult')
    expect(reply).toMatchObject({ ok: false, data: { slug: 'module-failed', id: expect.stringMatching(/^.{6,}$/) } })
    expect(String(reply.text)).not.toContain('on purpose')
    const { id } = reply.data as { id: string }
    expect(node.lines.find(({ fault }) => fault === id)).toMatchObject({
      module: 'throws',
      handler: 'commands.half',
      cause: 'broken on purpose',
      where: expect.stringMatching(/^throws\.ts:\d+:\d+$/),
    })
    expect(statusOf('throws')?.fault).toMatchObject({ id, file: 'throws.ts', message: 'broken on purpose' })
  })

  it('has no effect when a handler throws', async () => {
    const { client } = await node.join('Bob')
    client.command('/half')
    await client.next('commandResult')
    client.command('/calm', 2)
    await client.next('commandResult')
    expect(client.received.filter(({ value }) => value.text === 'dropped')).toEqual([])
    expect(client.count('correction')).toBe(0)
  })

  it.each(['promise', 'later', 'outside'])('answers module-failed for /%s', async (name) => {
    const { client } = await node.join(`Cid-${name}`)
    client.command(`/${name}`)
    expect(await client.next('commandResult')).toMatchObject({ ok: false, data: { slug: 'module-failed' } })
    expect(client.received.filter(({ value }) => value.text === 'dropped')).toEqual([])
  })

  it('names the closest permission when a handler asks for one that does not exist', async () => {
    const { client } = await node.join('Ken')
    client.command('/may')
    expect(await client.next('commandResult')).toMatchObject({
      ok: false,
      text: expect.stringMatching(/^The module throws failed \(\w+\)\. Tell an admin\.$/),
    })
    expect(statusOf('throws')?.fault).toMatchObject({
      handler: 'commands.may',
      message: 'Unknown permission `module.throws.bild`. Did you mean `module.throws.build`?',
    })
  })

  it('answers with what the failed function of later returns', async () => {
    const { client } = await node.join('Dan')
    client.command('/caught')
    expect(await client.next('commandResult')).toMatchObject({ ok: true, text: 'no store' })
  })

  it.each(['throw', 'effect'])('refuses with module-failed when decide fails: %s', async (text) => {
    const { client } = await node.join(`Eve-${text}`)
    client.send({ $case: 'chat', value: { text } })
    expect(await client.next('error')).toMatchObject({ code: 'module-failed' })
    expect(client.received.filter(({ value }) => value.text === 'dropped')).toEqual([])
  })

  it('is ended and switched off when a handler never ends, and others keep running', async () => {
    const { client } = await node.join('Fay')
    // On a busy machine the process may get too little processor time to blame the module at once.
    for (let seq = 1; seq <= 3 && statusOf('loops')?.state !== 'off'; seq += 1) {
      client.command('/loop', seq)
      expect(await client.next('commandResult')).toMatchObject({ ok: false, data: { slug: 'module-failed' } })
    }
    expect(statusOf('loops')).toMatchObject({
      state: 'off',
      reason: 'commands.loop was ended after 250 ms',
      msPerTick: 0,
      fault: {
        message: expect.stringMatching(
          /^The handler commands\.loop was ended after 250 ms(\. Fix its endless loop, then enter \/module reload loops\.|, in which)/,
        ),
      },
    })
    const admin = await node.join('Max', { groups: ['admin'] })
    admin.client.command('/modules')
    expect(await admin.client.next('commandResult')).toMatchObject({
      text: expect.stringMatching(
        /^loops: off because commands\.loop was ended after 250 ms, does not run, (1 fault|\d\d+ faults|[02-9] faults)\n(.*\n)*? {2}to run it again, fix it and enter \/module reload loops$/m,
      ),
    })
    client.command('/calm', 4)
    expect(await client.next('commandResult')).toMatchObject({ ok: true, text: 'calm Fay' })
    client.command('/loop', 5)
    expect(await client.next('commandResult')).toMatchObject({ ok: false, text: expect.stringContaining('switched off') })
    await node.moduleHost.setEnabled('loops', true)
    expect(statusOf('loops')).toMatchObject({ state: 'running' })
  })

  it('stays on when a handler is ended without processor time, until the third time', async () => {
    const { client } = await node.join('Gus')
    for (const [seq, state] of [
      [1, 'running'],
      [2, 'running'],
      [3, 'off'],
    ] as const) {
      client.command('/wait', seq)
      expect(await client.next('commandResult')).toMatchObject({ ok: false, data: { slug: 'module-failed' } })
      expect(statusOf('waits')).toMatchObject({ state })
    }
    expect(statusOf('waits')?.fault).toMatchObject({
      handler: 'commands.wait',
      message: 'The handler commands.wait was ended after 250 ms, in which the process had little processor time.',
    })
  })

  it('is logged once a minute for the same fault', async () => {
    await waitFor(() => (statusOf('timed')?.faults ?? 0) >= 10)
    const logged = node.lines.filter(({ module, handler }) => module === 'timed' && handler === 'every')
    expect(logged).toHaveLength(1)
  })
})

describe('data that a handler has changed', () => {
  const open = async (name: string) => {
    const { client } = await node.join(name)
    let seq = 0
    const enter = async (text: string) => {
      seq += 1
      client.command(text, seq)
      return client.next('commandResult')
    }
    return { client, enter, data: async () => (await enter('/data')).text }
  }

  it.each(['/answer', '/unfit', '/endless'])('is put back when the handler fails: %s', async (text) => {
    const { enter, data } = await open(`Ivy-${text.slice(1)}`)
    const before = await data()
    expect(await enter(text)).toMatchObject({ ok: false, data: { slug: 'module-failed' } })
    if (statusOf('keeps')?.state === 'off') await node.moduleHost.setEnabled('keeps', true)
    expect(await data()).toBe(before)
  })

  it('is put back with the state when a listener fails, and is kept otherwise', async () => {
    const { client, data } = await open('Joe')
    for (const text of ['said', 'fine']) {
      client.send({ $case: 'chat', value: { text } })
      await client.next('chatMessage')
    }
    expect(await data()).toBe('[{"n":1,"list":[]},{"n":1}]')
    expect(statusOf('keeps')?.fault).toMatchObject({ handler: 'on.said', message: 'after a change' })
  })

  it('cannot be stored if it does not fit its schema', async () => {
    const { enter } = await open('Lea')
    await enter('/unfit')
    expect(statusOf('keeps')?.fault).toMatchObject({
      handler: 'commands.unfit',
      message: expect.stringMatching(/^Data that the handler has changed cannot be stored: .*\/n must be a whole number/),
    })
  })

  it('is read-only in decide, at every depth', async () => {
    const { client, data } = await open('Mia')
    client.send({ $case: 'chat', value: { text: 'decide' } })
    expect(await client.next('error')).toMatchObject({ code: 'module-failed' })
    expect(statusOf('keeps')?.fault).toMatchObject({ handler: 'decide.chat', message: expect.stringContaining('read-only') })
    expect(await data()).toContain('"list":[]')
  })
})

describe('the time of a module', () => {
  it('is listed by handler, also for a call that was ended', async () => {
    const { client } = await node.join('Hal')
    client.command('/calm')
    await client.next('commandResult')
    expect(statusOf('calm')?.handlers).toEqual([
      { handler: 'commands.calm', calls: expect.any(Number), msPerCall: expect.any(Number), longestMs: expect.any(Number) },
    ])
    const [slowest] = statusOf('waits')?.handlers ?? []
    expect(slowest).toMatchObject({ handler: 'commands.wait', calls: 3 })
    expect(slowest?.longestMs).toBeGreaterThanOrEqual(250)
  })
})

describe('twenty faults a second for five seconds', () => {
  const faultsOf = (perSecond: number) => {
    const clock = createFixedClock()
    const faults = createModuleFaults({
      name: 'bad',
      code: { findPlace: () => undefined },
      clock,
      ids: systemIds,
      log: silentLog,
    })
    for (let second = 0; second < 7; second += 1) {
      for (let count = 0; count < perSecond; count += 1) faults.add('on.tick', new Error('again'))
      clock.advance(1000)
    }
    return faults
  }

  it('are a flood, which switches a module off', () => {
    // A late tick falls into the next second.
    for (const perSecond of [20, 19]) expect(faultsOf(perSecond).isFlood()).toBe(true)
    expect(faultsOf(17).isFlood()).toBe(false)
  })
})

describe('a profile of a module', () => {
  it('is written to a file, and another one waits', async () => {
    const { client } = await node.join('Prof')
    const file = await node.moduleHost.profile('calm', 300)
    await expect(node.moduleHost.profile('calm', 300)).rejects.toMatchObject({ slug: 'conflict' })
    client.command('/calm')
    await client.next('commandResult')
    await waitFor(() => existsSync(file))
    expect(file).toMatch(/calm-[\dT-]+\.cpuprofile$/)
    const { nodes } = JSON.parse(await readFile(file, 'utf8')) as { nodes: unknown[] }
    expect(nodes.length).toBeGreaterThan(10)
  })

  it('of an unknown module is refused', async () => {
    await expect(node.moduleHost.profile('nothing', 300)).rejects.toMatchObject({ slug: 'not-found' })
  })
})
