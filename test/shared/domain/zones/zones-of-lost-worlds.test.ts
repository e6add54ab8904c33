import { cp, mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { createLmdbChunkStore } from '../../../../shared/domain/worlds/store/lmdb/chunk-store-lmdb.ts'
import { systemIds } from '../../../../shared/kernel/ids.ts'
import { createLmdbStore } from '../../../../shared/platform/storage/lmdb/lmdb-store.ts'
import { createTempDir } from '../../../support/processes/temp-dir.ts'
import { createZoneFixture, zoneEditor } from '../../../support/zones/zone-fixture.ts'

const input = {
  name: 'Town',
  yMin: 10,
  yMax: 20,
  chunks: [
    { cx: 0, cz: 0 },
    { cx: 0, cz: 1 },
  ],
}

/** What can happen to the folder of a world while the server is down, and the warning of its zones. */
const losses = [
  {
    loss: 'was taken away',
    lose: (folder: string) => rm(folder, { recursive: true }),
    warning: 'Missing from the world: 2 of the zone’s 2 chunks.',
  },
  {
    loss: 'was replaced by that of another world',
    lose: async (folder: string) => {
      await rm(folder, { recursive: true })
      await cp(join(folder, '../north'), folder, { recursive: true })
    },
    warning: expect.stringContaining('belongs to another world'),
  },
  {
    loss: 'was overwritten',
    lose: (folder: string) => writeFile(join(folder, 'data.mdb'), Buffer.alloc(65_536, 'not a database')),
    warning: expect.stringContaining('The chunks of the world default cannot be used'),
  },
  {
    loss: 'became a file',
    lose: async (folder: string) => {
      await rm(folder, { recursive: true })
      await writeFile(folder, 'gone')
    },
    warning: expect.stringContaining('The chunks of the world default cannot be used'),
  },
  {
    loss: 'has a folder in the place of its data file',
    lose: async (folder: string) => {
      await rm(join(folder, 'data.mdb'))
      await mkdir(join(folder, 'data.mdb'))
    },
    warning: expect.stringContaining('something else is in the place'),
  },
  {
    loss: 'became a link to itself',
    lose: async (folder: string) => {
      await rm(folder, { recursive: true })
      await symlink(folder, folder)
    },
    warning: expect.stringContaining('something else is in the place'),
  },
]

describe('zones of a world whose folder', () => {
  let dir: Awaited<ReturnType<typeof createTempDir>>
  let fixture: Awaited<ReturnType<typeof createZoneFixture>>
  const open = () =>
    createZoneFixture({
      store: createLmdbStore({ path: join(dir.path, 'records'), ids: systemIds }),
      chunks: createLmdbChunkStore({ path: join(dir.path, 'worlds') }),
    })

  beforeEach(async () => {
    dir = await createTempDir()
    fixture = await open()
  })
  afterEach(async () => {
    await fixture.close()
    await dir.remove()
  })

  it.each(losses)('$loss are listed with a warning, and can be renamed and removed', async ({ lose, warning }) => {
    const { zone } = await fixture.zones.createZone(zoneEditor, input)
    const north = (await fixture.zones.createZone(zoneEditor, { ...input, world: 'north' })).zone
    await fixture.close()
    await lose(join(dir.path, 'worlds', 'default'))
    fixture = await open()
    const listed = await fixture.zones.listZones()
    expect(listed).toHaveLength(2)
    expect(listed).toContainEqual({ zone, warning })
    expect(listed).toContainEqual({ zone: north })
    expect(await fixture.zones.describeZone(zone.id)).toMatchObject({ zone, warning })
    const renamed = await fixture.zones.changeZone(zoneEditor, zone.id, { name: 'Lost town' })
    expect(renamed.zone.name).toBe('Lost town')
    const refusal = { slug: expect.stringMatching(/^(world-unusable|chunks-not-generated)$/) }
    await expect(fixture.zones.changeZone(zoneEditor, zone.id, { chunks: input.chunks })).rejects.toMatchObject(refusal)
    await fixture.zones.removeZone(zoneEditor, zone.id)
    expect(await fixture.zones.listZones()).toEqual([{ zone: north }])
  })
})
