import { describe, expect, it } from '@jest/globals'
import { AppError } from '../../../../../shared/kernel/errors.ts'
import type { Store } from '../../../../../shared/platform/storage/store.ts'
import {
  brokenGroups,
  countReads,
  createConfigProcesses,
  firstGroup,
  groupNamed,
} from '../../../../support/configs/config-processes.ts'
import { waitFor } from '../../../../support/time/wait-for.ts'

describe('the configs of several processes', () => {
  it('are reloaded everywhere on the event, once each, without an echo', async () => {
    const { files, createBus, start } = createConfigProcesses({ 'groups.yaml': groupNamed('a') })
    const events = createBus()
    const [one, two] = [await start({ events }), await start({ events })]
    const published: unknown[] = []
    await events.subscribe('configs-reloaded', ({ names }) => void published.push(names))
    files.texts['groups.yaml'] = groupNamed('b')
    const counter = countReads(files)
    await one.reload(['groups.yaml'])
    await waitFor(() => firstGroup(two) === 'b')
    // Each process does one thing after another, so an echo would be handled before close returns.
    await Promise.all([one.close(), two.close()])
    await new Promise((resolve) => setImmediate(resolve))
    expect(published).toEqual([['groups.yaml']])
    expect(counter.reads).toBe(2)
  })

  it('are reloaded by polling when the event is lost', async () => {
    const { files, start } = createConfigProcesses({ 'groups.yaml': groupNamed('a') })
    const [one, two] = [await start(), await start({ pollMs: 5 })]
    files.texts['groups.yaml'] = groupNamed('b')
    await one.reload()
    await waitFor(() => firstGroup(two) === 'b')
  })

  const outage = new AppError('unavailable', 'service-unavailable', 'The store is away.', { retryAfterSeconds: 1 })

  it('are updated after an outage with changes made during it', async () => {
    const { files, start } = createConfigProcesses({ 'groups.yaml': groupNamed('a') })
    const [one, two] = [await start(), await start()]
    files.texts['groups.yaml'] = groupNamed('b')
    await one.reload(['groups.yaml'])
    files.texts['groups.yaml'] = outage
    await expect(two.catchUp()).rejects.toMatchObject({ kind: 'unavailable' })
    expect(two.warnings()).toEqual([])
    files.texts['groups.yaml'] = groupNamed('b')
    await two.catchUp()
    expect(firstGroup(two)).toBe('b')
  })

  it('are not reported as broken by a start during an outage', async () => {
    const { start } = createConfigProcesses({ 'groups.yaml': outage })
    await expect(start()).rejects.toMatchObject({ kind: 'unavailable' })
  })

  it('include a reload that happens while they start', async () => {
    const { files, start } = createConfigProcesses({ 'groups.yaml': groupNamed('a') })
    const one = await start()
    const { read } = files
    let isReloaded = false
    files.read = async (name) => {
      const text = await read(name)
      if (name !== 'groups.yaml' || isReloaded) return text
      isReloaded = true
      files.texts['groups.yaml'] = groupNamed('b')
      await one.reload()
      return text
    }
    const two = await start({ pollMs: 5 })
    await waitFor(() => firstGroup(two) === 'b')
  })

  it('are read only where reloaded, or all after more than one missed reload', async () => {
    const { files, createBus, start } = createConfigProcesses({ 'groups.yaml': groupNamed('a') })
    const events = createBus()
    const [one, two] = [await start({ events }), await start({ events })]
    const viewRadius = () => two.get('server.yaml').realtime.viewRadius
    files.texts['server.yaml'] = 'realtime: {viewRadius: 3}'
    files.texts['groups.yaml'] = groupNamed('b')
    await one.reload(['groups.yaml'])
    await waitFor(() => firstGroup(two) === 'b')
    expect(viewRadius()).toBe(8)
    const away = await start()
    files.texts['worldgen.yaml'] = 'nonsense: 1'
    await one.reload(['worldgen.yaml'])
    await one.reload(['groups.yaml'])
    files.texts['worldgen.yaml'] = ''
    files.texts['server.yaml'] = 'realtime: {viewRadius: 5}'
    await away.reload(['groups.yaml'])
    expect(away.get('server.yaml').realtime.viewRadius).toBe(5)
    await waitFor(() => two.warnings().length === 1)
  })

  it('keep the last valid version when another process reloads a broken file, with a warning', async () => {
    const { files, start } = createConfigProcesses({ 'groups.yaml': groupNamed('a') })
    const [one, two] = [await start(), await start({ pollMs: 5 })]
    files.texts['groups.yaml'] = brokenGroups
    await one.reload()
    await waitFor(() => two.warnings().length === 1)
    expect(firstGroup(two)).toBe('a')
  })

  it('lose no reload when two processes reload different files at once', async () => {
    const { files, start } = createConfigProcesses({ 'groups.yaml': groupNamed('a') })
    const [one, two] = [await start(), await start()]
    files.texts['groups.yaml'] = groupNamed('b')
    await Promise.all([one.reload(['groups.yaml']), two.reload(['server.yaml'])])
    await two.reload(['server.yaml'])
    expect([firstGroup(one), firstGroup(two)]).toEqual(['b', 'b'])
  })

  it('are polled through an outage of the store, with one line in the log', async () => {
    const { files, store, start, lines } = createConfigProcesses({ 'groups.yaml': groupNamed('a') })
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
    expect(lines.filter(({ msg }) => msg === 'could not check whether another process reloaded configs')).toHaveLength(1)
  })

  it('report an error when a reload cannot be announced, after a reload of their own process', async () => {
    const { files, store, start } = createConfigProcesses({ 'groups.yaml': groupNamed('a') })
    const put: Store['put'] = () => Promise.reject(new AppError('unavailable', 'service-unavailable', 'The store is away.'))
    const configs = await start({ on: { ...store, put } })
    files.texts['groups.yaml'] = groupNamed('b')
    await expect(configs.reload()).rejects.toMatchObject({ kind: 'unavailable' })
    expect(firstGroup(configs)).toBe('b')
  })

  it('receive nothing after close', async () => {
    const { files, createBus, start } = createConfigProcesses({ 'groups.yaml': groupNamed('a') })
    const events = createBus()
    const [one, two, three] = [await start({ events }), await start({ events, pollMs: 5 }), await start({ events })]
    await two.close()
    files.texts['groups.yaml'] = groupNamed('b')
    await one.reload()
    await waitFor(() => firstGroup(three) === 'b')
    expect(firstGroup(two)).toBe('a')
  })
})
