import { afterEach, describe, expect, it } from '@jest/globals'
import { configNames } from '../../../shared/configs/catalogue.ts'
import type { Configs } from '../../../shared/configs/configs.ts'
import { type LoadConfigsDeps, loadConfigs } from '../../../shared/configs/loaded-configs.ts'
import { createFindUnsafe } from '../../../shared/configs/startup-checks.ts'
import type { EventBus } from '../../../shared/events/event-bus.ts'
import { createMemoryEventBus } from '../../../shared/events/memory.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import { createMemoryStore } from '../../../shared/storage/memory.ts'
import type { Store } from '../../../shared/storage/store.ts'
import { createConfigTexts } from '../../support/config-texts.ts'
import { createFixedClock } from '../../support/fixed-clock.ts'
import { createCapturedLog } from '../../support/silent-log.ts'
import { waitFor } from '../../support/wait-for.ts'

const groupNamed = (name: string) => `groups: [{name: ${name}, permissions: [x]}]`
const broken = 'groups:\n  - {name: a, permissions: [x], extra: 1}\n'
const hour = 3_600_000

const opened: Configs[] = []
afterEach(async () => {
  for (const configs of opened.splice(0)) await configs.close()
})

const createWorld = (texts: Record<string, string | AppError> = {}) => {
  const { log, lines } = createCapturedLog()
  const files = createConfigTexts(texts)
  const store = createMemoryStore()
  const clock = createFixedClock()
  const createBus = () => createMemoryEventBus({ log })
  /** One process; without a bus of its own it hears nobody, and polls only when told how often. */
  const start = async ({
    events = createBus(),
    pollMs = hour,
    on = store,
    findUnsafe,
  }: {
    events?: EventBus
    pollMs?: number
    on?: Store
    findUnsafe?: LoadConfigsDeps['findUnsafe']
  } = {}) => {
    const configs = await loadConfigs({ files, store: on, events, log, clock, pollMs, ...(findUnsafe && { findUnsafe }) })
    opened.push(configs)
    return configs
  }
  return { files, store, createBus, start, lines }
}

const firstGroup = (configs: Configs) => configs.get('groups.yaml').groups[0]?.name
const countReads = (files: ReturnType<typeof createConfigTexts>) => {
  const counter = { reads: 0 }
  const { read } = files
  files.read = (name) => {
    counter.reads += 1
    return read(name)
  }
  return counter
}

describe('loadConfigs at start', () => {
  it('has every config in force, defaults filled in', async () => {
    const configs = await createWorld({ 'groups.yaml': groupNamed('a') }).start()
    expect(firstGroup(configs)).toBe('a')
    expect(configs.get('server.yaml').realtime.tickRate).toBe(20)
    expect(configs.warnings()).toEqual([])
  })

  it('refuses to start on broken files, naming each with every fault and its place', async () => {
    const { start } = createWorld({ 'groups.yaml': broken, 'server.yaml': 'realtime: {tickRate: 0}\nhttp: [' })
    const refusal = await start().catch((error: unknown) => error)
    expect(refusal).toMatchObject({ kind: 'invalid', slug: 'invalid-config' })
    expect(refusal).toMatchObject({
      publicDetail: expect.stringContaining('groups.yaml:2:33: /groups/0/extra: is not a known key'),
    })
    expect(refusal).toMatchObject({ publicDetail: expect.stringMatching(/server\.yaml:2:8: /) })
  })

  it('refuses to start on a file that cannot be read', async () => {
    const { start } = createWorld({
      'groups.yaml': new AppError('unavailable', 'service-unavailable', 'groups.yaml cannot be read.'),
    })
    await expect(start()).rejects.toMatchObject({ publicDetail: expect.stringContaining('groups.yaml cannot be read') })
  })
})

describe('reload', () => {
  it('takes new groups into force before it answers, and tells the listeners', async () => {
    const { files, start } = createWorld({ 'groups.yaml': groupNamed('a') })
    const configs = await start()
    const heard: unknown[] = []
    const leave = configs.onReload((names) => heard.push([names, firstGroup(configs)]))
    files.texts['groups.yaml'] = groupNamed('b')
    expect(await configs.reload(['groups.yaml'])).toEqual({
      reloaded: ['groups.yaml', 'server.yaml'],
      restartNeeded: [],
      failed: [],
    })
    expect(heard).toEqual([[['groups.yaml', 'server.yaml'], 'b']])
    leave()
    await configs.reload()
    expect(heard).toHaveLength(1)
  })

  it('names every file that is in force as it was read, changed or not', async () => {
    const configs = await createWorld().start()
    const { reloaded, ...rest } = await configs.reload()
    expect([...reloaded].sort()).toEqual(configNames)
    expect(rest).toEqual({ restartNeeded: [], failed: [] })
  })

  it('says each time what waits for a restart, leaves that as it was, and has the rest of the file in force', async () => {
    const { files, start } = createWorld()
    const configs = await start()
    const realtime = () => configs.get('server.yaml').realtime
    files.texts['server.yaml'] = 'realtime: {tickRate: 30}'
    for (const _ of [1, 2])
      expect(await configs.reload(['server.yaml'])).toEqual({ reloaded: [], restartNeeded: ['server.yaml'], failed: [] })
    expect(realtime().tickRate).toBe(20)
    files.texts['server.yaml'] = 'realtime: {tickRate: 30, viewRadius: 4}'
    expect(await configs.reload()).toMatchObject({
      reloaded: expect.arrayContaining(['server.yaml']),
      restartNeeded: ['server.yaml'],
    })
    expect(realtime()).toMatchObject({ tickRate: 20, viewRadius: 4 })
    files.texts['server.yaml'] = '# the rate as it was\nrealtime: {tickRate: 20, viewRadius: 4}'
    expect(await configs.reload()).toMatchObject({ reloaded: expect.arrayContaining(['server.yaml']), restartNeeded: [] })
  })

  it('has nothing of a file in force that waits for a restart as a whole', async () => {
    const { files, start } = createWorld()
    const configs = await start()
    const before = configs.get('worldgen.yaml')
    files.texts['worldgen.yaml'] = 'seaLevel: 70'
    expect(await configs.reload(['worldgen.yaml'])).toEqual({ reloaded: [], restartNeeded: ['worldgen.yaml'], failed: [] })
    expect(configs.get('worldgen.yaml')).toEqual(before)
  })

  it('lets nothing in that is not safe where this process listens, and names the fix', async () => {
    const { files, start } = createWorld({ 'server.yaml': 'auth: {local: {requirePassword: true}}' })
    const configs = await start({
      findUnsafe: createFindUnsafe({
        ...{ role: 'all', host: '0.0.0.0', allowPasswordless: false },
        readSecret: () => undefined,
      }),
    })
    files.texts['server.yaml'] = 'auth: {local: {requirePassword: false}}'
    expect(await configs.reload()).toMatchObject({
      failed: [{ name: 'server.yaml', errors: [{ message: expect.stringContaining('set auth.local.requirePassword to true') }] }],
    })
    expect(configs.get('server.yaml').auth.local.requirePassword).toBe(true)
    expect(configs.warnings()).toEqual(['server.yaml is broken; the last good one stays in force'])
  })

  it('keeps the last good one for a broken file, names the fault to who reloads and to the log, and warns until it is mended', async () => {
    const { files, start, lines } = createWorld({ 'groups.yaml': groupNamed('a') })
    const configs = await start()
    files.texts['groups.yaml'] = broken
    expect(await configs.reload()).toEqual({
      reloaded: expect.not.arrayContaining(['groups.yaml']),
      restartNeeded: [],
      failed: [
        { name: 'groups.yaml', errors: [{ line: 2, column: 33, pointer: '/groups/0/extra', message: 'is not a known key' }] },
      ],
    })
    expect(firstGroup(configs)).toBe('a')
    expect(lines).toContainEqual(
      expect.objectContaining({ config: 'groups.yaml', errors: [expect.objectContaining({ pointer: '/groups/0/extra' })] }),
    )
    expect(configs.warnings()).toEqual(['groups.yaml is broken at line 2, column 33; the last good one stays in force'])
    await configs.reload(['server.yaml'])
    expect(configs.warnings()).toHaveLength(1)
    files.texts['groups.yaml'] = new AppError('unavailable', 'service-unavailable', 'groups.yaml cannot be read.')
    expect(await configs.reload()).toMatchObject({ failed: [{ errors: [{ message: 'groups.yaml cannot be read.' }] }] })
    expect(configs.warnings()).toEqual(['groups.yaml is broken; the last good one stays in force'])
    files.texts['groups.yaml'] = groupNamed('c')
    await configs.reload()
    expect(configs.warnings()).toEqual([])
    expect(firstGroup(configs)).toBe('c')
  })

  it('reads only what it is asked to, and what refers to that', async () => {
    const { files, start } = createWorld()
    const configs = await start()
    const counter = countReads(files)
    expect(await configs.reload(['groups.yaml', 'groups.yaml'])).toMatchObject({ reloaded: ['groups.yaml', 'server.yaml'] })
    expect(counter.reads).toBe(2)
  })

  it('lets a listener that throws disturb nobody', async () => {
    const { start, lines } = createWorld()
    const configs = await start()
    let heard = 0
    configs.onReload(() => {
      throw new Error('no')
    })
    configs.onReload(() => {
      heard += 1
    })
    await configs.reload()
    expect(heard).toBe(1)
    expect(lines).toContainEqual(expect.objectContaining({ msg: 'a listener for reloaded configs failed' }))
  })
})

describe('configs of several processes', () => {
  it('are read again everywhere on the event, once each, without an echo', async () => {
    const { files, createBus, start } = createWorld({ 'groups.yaml': groupNamed('a') })
    const events = createBus()
    const [one, two] = [await start({ events }), await start({ events })]
    const published: unknown[] = []
    await events.subscribe('configs-reloaded', ({ names }) => void published.push(names))
    files.texts['groups.yaml'] = groupNamed('b')
    const counter = countReads(files)
    await one.reload(['groups.yaml'])
    await waitFor(() => firstGroup(two) === 'b')
    // Whatever an echo would do comes before these answers: each process does one thing after another.
    await Promise.all([one.close(), two.close()])
    await new Promise((resolve) => setImmediate(resolve))
    expect(published).toEqual([['groups.yaml']])
    expect(counter.reads).toBe(2 + configNames.length)
  })

  it('are read again by the poll where the event is lost', async () => {
    const { files, start } = createWorld({ 'groups.yaml': groupNamed('a') })
    const [one, two] = [await start(), await start({ pollMs: 5 })]
    files.texts['groups.yaml'] = groupNamed('b')
    await one.reload()
    await waitFor(() => firstGroup(two) === 'b')
  })

  it('keep the last good one where another process reloads a broken file, and warn there too', async () => {
    const { files, start } = createWorld({ 'groups.yaml': groupNamed('a') })
    const [one, two] = [await start(), await start({ pollMs: 5 })]
    files.texts['groups.yaml'] = broken
    await one.reload()
    await waitFor(() => two.warnings().length === 1)
    expect(firstGroup(two)).toBe('a')
  })

  it('lose no reload when two processes reload different files at once', async () => {
    const { files, start } = createWorld({ 'groups.yaml': groupNamed('a') })
    const [one, two] = [await start(), await start()]
    files.texts['groups.yaml'] = groupNamed('b')
    await Promise.all([one.reload(['groups.yaml']), two.reload(['server.yaml'])])
    await two.reload(['server.yaml'])
    expect([firstGroup(one), firstGroup(two)]).toEqual(['b', 'b'])
  })

  it('poll on through an outage of the store, with one line in the log', async () => {
    const { files, store, start, lines } = createWorld({ 'groups.yaml': groupNamed('a') })
    const outage = { on: false, asked: 0 }
    const get: Store['get'] = (collection, id) => {
      if (!outage.on) return store.get(collection, id)
      outage.asked += 1
      return Promise.reject(new AppError('unavailable', 'service-unavailable', 'The store is away.'))
    }
    const [one, two] = [await start(), await start({ pollMs: 5, on: { ...store, get } })]
    outage.on = true
    await waitFor(() => outage.asked > 3)
    files.texts['groups.yaml'] = groupNamed('b')
    await one.reload()
    expect(firstGroup(two)).toBe('a')
    outage.on = false
    await waitFor(() => firstGroup(two) === 'b')
    expect(lines.filter(({ msg }) => msg === 'cannot see whether configs were reloaded elsewhere')).toHaveLength(1)
  })

  it('answers a reload that could not be announced with the error, its own process reloaded', async () => {
    const { files, store, start } = createWorld({ 'groups.yaml': groupNamed('a') })
    const put: Store['put'] = () => Promise.reject(new AppError('unavailable', 'service-unavailable', 'The store is away.'))
    const configs = await start({ on: { ...store, put } })
    files.texts['groups.yaml'] = groupNamed('b')
    await expect(configs.reload()).rejects.toMatchObject({ kind: 'unavailable' })
    expect(firstGroup(configs)).toBe('b')
  })

  it('hear nothing any more once closed', async () => {
    const { files, createBus, start } = createWorld({ 'groups.yaml': groupNamed('a') })
    const events = createBus()
    const [one, two, three] = [await start({ events }), await start({ events, pollMs: 5 }), await start({ events })]
    await two.close()
    files.texts['groups.yaml'] = groupNamed('b')
    await one.reload()
    await waitFor(() => firstGroup(three) === 'b')
    expect(firstGroup(two)).toBe('a')
  })
})
