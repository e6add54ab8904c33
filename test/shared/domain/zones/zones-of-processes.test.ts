import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { createLmdbChunkStore } from '../../../../shared/domain/worlds/store/lmdb/chunk-store-lmdb.ts'
import { zoneGuards } from '../../../../shared/domain/zones/zone.ts'
import { systemIds } from '../../../../shared/kernel/ids.ts'
import { createLmdbStore } from '../../../../shared/platform/storage/lmdb/lmdb-store.ts'
import { type ChildScript, nextLine, startScript } from '../../../support/processes/child-process.ts'
import { createTempDir } from '../../../support/processes/temp-dir.ts'
import { createZoneFixture } from '../../../support/zones/zone-fixture.ts'

const script = join(import.meta.dirname, '../../../support/zones/zone-writer-script.ts')

describe('zones of two processes on one data folder', () => {
  let dir: Awaited<ReturnType<typeof createTempDir>>
  let fixture: Awaited<ReturnType<typeof createZoneFixture>>
  let children: ChildScript[]

  beforeEach(async () => {
    dir = await createTempDir()
    children = []
    fixture = await createZoneFixture({
      store: createLmdbStore({ path: join(dir.path, 'records'), ids: systemIds }),
      chunks: createLmdbChunkStore({ path: join(dir.path, 'worlds') }),
    })
  })
  afterEach(async () => {
    for (const child of children) child.process.kill('SIGKILL')
    await Promise.all(children.map(({ ended }) => ended))
    await fixture.close()
    await dir.remove()
  })

  it('are created once per column for a hundred concurrent requests, and for thirty-two pairs', async () => {
    children = ['one', 'other'].map((label) => startScript(script, [dir.path, label]))
    for (const child of children) expect(await nextLine(child)).toBe('ready')
    const race = async () => {
      for (const child of children) child.process.stdin.write('go\n')
      return Promise.all(children.map(nextLine))
    }
    expect((await race()).sort()).toEqual(['0 zone-overlap', '1 zone-overlap'])
    expect(await fixture.zones.listZones()).toHaveLength(1)

    const made = (await race()).map((line) => Number(line.replace(/ (zone-overlap)?$/, '')))
    expect((made[0] ?? 0) + (made[1] ?? 0)).toBe(32)
    expect(await Promise.all(children.map(({ ended }) => ended))).toEqual([0, 0])

    const listed = await fixture.zones.listZones()
    expect(new Set(listed.map(({ zone }) => JSON.stringify(zone.chunks))).size).toBe(33)
    expect(listed).toHaveLength(33)
    expect(await fixture.listAudit()).toHaveLength(33)
    expect((await fixture.store.get(zoneGuards, 'default'))?.value).toMatchObject({ zones: 33, changes: 33 })
  }, 180_000)
})
