import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { awaitWorld, findFreeWorld, type TakenWorld, type TakeWorldDeps, takeWorld } from '../../../realtime/world/take-world.ts'
import { leaseRecords } from '../../../shared/domain/worlds/leases/lease-record.ts'
import { systemClock } from '../../../shared/kernel/clock.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import { systemIds } from '../../../shared/kernel/ids.ts'
import { createMemoryEventBus } from '../../../shared/platform/events/memory-events.ts'
import { createServiceMetrics } from '../../../shared/platform/metrics/service-metrics.ts'
import { createMemoryStore } from '../../../shared/platform/storage/memory-store.ts'
import { createTempDir } from '../../support/processes/temp-dir.ts'
import { createCapturedLog } from '../../support/time/silent-log.ts'
import { waitFor } from '../../support/time/wait-for.ts'

describe('the world that a node takes', () => {
  let dir: Awaited<ReturnType<typeof createTempDir>>
  let deps: TakeWorldDeps
  let log: ReturnType<typeof createCapturedLog>
  let ended: AbortController
  let taken: TakenWorld[]
  beforeEach(async () => {
    dir = await createTempDir()
    log = createCapturedLog()
    const events = createMemoryEventBus({ log: log.log, metrics: createServiceMetrics() })
    deps = { store: createMemoryStore(), clock: systemClock, ids: systemIds, log: log.log, events }
    ended = new AbortController()
    taken = []
  })
  afterEach(async () => {
    ended.abort()
    for (const { lease } of taken) await lease.release()
    await dir.remove()
  })

  const tenureOf = (machineId: string, worldNames: readonly string[] = ['default']) => ({
    holder: { name: `node of ${machineId}`, machineId, pid: 7 },
    worldNames,
    lockPathOf: (worldName: string) => join(dir.path, machineId, `${worldName}.lease`),
  })
  const take = async (worldNames?: readonly string[]): Promise<TakenWorld> => {
    const world = await takeWorld(deps, tenureOf('a', worldNames))
    taken.push(world)
    return world
  }
  const standBy = async (worldNames?: readonly string[]): Promise<TakenWorld | undefined> => {
    const world = await awaitWorld(deps, tenureOf('a', worldNames), ended.signal)
    if (world !== undefined) taken.push(world)
    return world
  }

  it('is the first of its list without a node', async () => {
    await take(['default'])
    expect((await take(['default', 'arena', 'moon'])).name).toBe('arena')
    expect(await findFreeWorld(deps, tenureOf('a', ['default', 'arena']))).toBeUndefined()
  })

  it('is refused with the holder of the first one when none is free', async () => {
    await take(['default', 'arena'])
    await take(['default', 'arena'])
    await expect(take(['default', 'arena'])).rejects.toMatchObject({
      slug: 'world-held',
      publicDetail: expect.stringMatching(/"default" is held by node of a/),
    })
  })

  it('is awaited until a node releases one', async () => {
    const first = await take()
    const waiting = standBy()
    await new Promise((resolve) => setTimeout(resolve, 300))
    await first.lease.release()
    expect((await waiting)?.lease.fence).toBe(first.lease.fence + 1)
  })

  it('is awaited with one log line, and another when the holder changes', async () => {
    const first = await take()
    const standsBy = () => log.lines.filter(({ msg }) => String(msg).includes('is a standby'))
    void standBy()
    await waitFor(() => standsBy().length > 0)
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(standsBy()).toMatchObject([{ level: 30, holders: { default: 'node of a' } }])
    const record = await deps.store.get(leaseRecords, 'default')
    const { holder } = record?.value ?? {}
    if (record === undefined || holder === undefined) throw new Error('nobody has it')
    await deps.store.put(
      leaseRecords,
      'default',
      { ...record.value, holder: { ...holder, name: 'node of b', machineId: 'b' } },
      { ifVersion: record.version },
    )
    await waitFor(() => standsBy().length > 1)
    expect(standsBy()[1]).toMatchObject({ holders: { default: 'node of b' } })
    await first.lease.release()
  })

  it('is looked up at once when the event says that one is free', async () => {
    const first = await take()
    const waiting = standBy()
    await first.lease.release()
    await deps.events.publish('world-released', { world: 'default', nodeId: 'x' })
    expect(await waiting).toBeDefined()
  })

  it('is awaited through an outage of the store, which is logged once', async () => {
    const first = await take()
    const { get } = deps.store
    let outages = 0
    const store = {
      ...deps.store,
      get: ((...args: Parameters<typeof get>) => {
        outages += 1
        if (outages < 4) return Promise.reject(new AppError('unavailable', 'service-unavailable', 'away'))
        return get(...args)
      }) as typeof get,
    }
    const waiting = awaitWorld({ ...deps, store }, tenureOf('a'), ended.signal)
    await waitFor(() => outages >= 4)
    await first.lease.release()
    const world = await waiting
    if (world !== undefined) taken.push(world)
    expect(world?.name).toBe('default')
    expect(log.lines.filter(({ msg }) => String(msg).includes('leases cannot be read'))).toHaveLength(1)
  })

  it('is undefined when the node is stopped during the wait', async () => {
    await take()
    const waiting = standBy()
    ended.abort()
    expect(await waiting).toBeUndefined()
  })
})
