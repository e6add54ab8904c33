import { describe, expect, it } from '@jest/globals'
import { allRoutes } from '../../../functions/all-routes.ts'
import { jobRoutes } from '../../../functions/jobs/routes.ts'
import { zoneRoutes } from '../../../functions/zones/routes.ts'
import { registryOf } from '../../../shared/domain/worlds/chunks/block-registry.ts'
import { encodeChunk } from '../../../shared/domain/worlds/chunks/compress-chunk.ts'
import { snapshotsMax } from '../../../shared/domain/zones/snapshots/snapshot.ts'
import { createChunk, setBlock } from '../../../shared/rules/chunks/chunk.ts'
import { openZoneDoor } from '../../support/zones/zone-door.ts'
import { doors, type OpenOptions } from '../doors.ts'

const nobody = '5f0e6a9c-3a4b-4f5e-9a61-2f4f3c1f7dff'

describe.each(doors)('snapshots of a zone through %s', (_name, openDoor) => {
  const open = async (options: OpenOptions = {}) => {
    const door = await openZoneDoor(openDoor, { routes: [...zoneRoutes, ...jobRoutes], ...options })
    const { zone, path } = await door.addZone()
    const registry = registryOf(door.deps.configs.get('blocks.yaml'))
    const column = (...heights: readonly number[]) => {
      const chunk = createChunk(0, 0)
      for (const y of heights) setBlock(chunk, { x: 1, y, z: 2 }, registry.find('stone')?.index ?? 0)
      return { cx: 0, cz: 0, bytes: encodeChunk(chunk, registry) }
    }
    const { snapshots } = door.deps
    const facts = { zone: zone.id, name: 'Before', at: '2026-11-23T20:00:00.000Z', by: 'ann' }
    let number = 0
    const keep = async (...heights: readonly number[]) => {
      number += 1
      const writer = await snapshots.write({ ...facts, id: nobody.replace(/..$/, String(number).padStart(2, '0')) })
      await writer.add(column(...heights), heights.length)
      return writer.finish()
    }
    const store = async (...heights: readonly number[]) =>
      door.chunks.putMany(await door.worlds.getWorld('default'), [column(...heights)], 1)
    return { ...door, zone, path: `${path}/snapshots`, keep, store }
  }

  it('are listed newest first, counted before a restore, and deleted with an audit entry', async () => {
    const { get, post, del, path, zone, keep, store, listAudit } = await open()
    const [older, newer] = [await keep(12, 13, 30), await keep(12)]
    expect(await get(path)).toMatchObject({ status: 200, body: [newer, older] })
    expect(older).toMatchObject({ name: 'Before', blocks: 3, by: 'ann' })
    await store(12, 14)
    const dry = await post(`${path}/${older.id}/restore?dryRun=true`)
    // Height 30 is above the zone.
    expect(dry).toMatchObject({ status: 200, body: { blocks: 2 } })
    const { body: restore } = await post(`${path}/${older.id}/restore`)
    expect(restore).toMatchObject({ kind: 'restore', state: 'queued', world: 'default', zone: zone.id })
    expect((await del(`${path}/${newer.id}`)).status).toBe(204)
    expect((await del(`${path}/${newer.id}`)).status).toBe(404)
    expect((await get(path)).body).toEqual([older])
    const [deleted] = (await listAudit()).filter(({ action }) => action === 'zone.snapshot-delete')
    expect(deleted).toMatchObject({ before: newer, after: null })
  })

  it('are restored when the deletion of their zone is undone', async () => {
    const { get, post, del, path, keep, listAudit } = await open({ as: 'admin', routes: allRoutes })
    const snapshot = await keep(12)
    expect((await del(path.replace(/\/snapshots$/, ''))).status).toBe(204)
    expect((await get(path)).status).toBe(404)
    const deleted = (await listAudit()).find(({ action }) => action === 'zone.delete')
    expect((await post(`/api/admin/audit/${deleted?.id}/undo`)).status).toBe(200)
    expect((await get(path)).body).toEqual([snapshot])
  })

  it('are taken by the node of the world; without one the answer is the waiting job', async () => {
    const { post, path, zone, listAudit } = await open()
    const taken = await post(path, { name: ' Feast ' })
    expect(taken).toMatchObject({ status: 202, body: { kind: 'snapshot', state: 'queued', world: 'default', zone: zone.id } })
    expect(taken.headers.location).toBe(`/api/admin/jobs/${taken.body.id}`)
    const entries = (await listAudit()).filter(({ action }) => action === 'zone.snapshot')
    expect(entries).toMatchObject([{ target: zone.id, after: { job: taken.body.id, name: 'Feast' } }])
  })

  it('are refused without a name, above fifty, and for missing snapshots', async () => {
    const { get, post, del, path, keep, deps } = await open()
    for (const body of [{}, { name: '' }, { name: '\u0000' }, { name: 'x'.repeat(65) }, { name: 'a', x: 1 }])
      expect([body, (await post(path, body)).status]).toEqual([body, 400])
    for (let more = 0; more < snapshotsMax; more += 1) await keep(12)
    const full = await post(path, { name: 'One more' })
    expect(full).toMatchObject({ status: 409, body: { type: '/problems/too-many-snapshots' } })
    expect((await deps.jobs.listJobs({ limit: 1 })).jobs).toEqual([])
    const missing = `/api/admin/instances/${nobody}/snapshots`
    expect((await get(missing)).status).toBe(404)
    expect((await post(missing, { name: 'a' })).status).toBe(404)
    for (const wrong of [`${path}/${nobody}`, `${missing}/${nobody}`]) {
      expect((await del(wrong)).status).toBe(404)
      expect((await post(`${wrong}/restore`)).status).toBe(404)
    }
  })

  it('are restored with a deleted zone until their retention ends', async () => {
    const { get, del, path, keep, zone, deps, clock } = await open()
    const snapshot = await keep(12)
    await del(path.replace('/snapshots', ''))
    expect((await get(path)).status).toBe(404)
    await deps.snapshots.sweep(() => false)
    clock.advance(300 * 86_400_000)
    await deps.snapshots.sweep(() => false)
    const { entries } = await deps.audit.listEntries({ limit: 5 })
    const deletion = entries.find(({ action }) => action === 'zone.delete')
    expect(deletion).toBeDefined()
    expect(await deps.snapshots.list(zone.id)).toEqual([snapshot])
    clock.advance(100 * 86_400_000)
    await deps.snapshots.sweep(() => false)
    expect(await deps.snapshots.list(zone.id)).toEqual([])
  })
})
