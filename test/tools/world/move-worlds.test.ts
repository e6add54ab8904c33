import { cp, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { createStoreAuditLog } from '../../../shared/domain/audit/store-audit-log.ts'
import { operatorActor } from '../../../shared/domain/jobs/job-service.ts'
import { pregenJob } from '../../../shared/domain/jobs/pregen.ts'
import { createWorldMoves } from '../../../shared/domain/world-moves/files/create-world-moves.ts'
import { type WorldRecord, worldRecords } from '../../../shared/domain/worlds/world.ts'
import { worldNames } from '../../../shared/domain/worlds/world-names.ts'
import { itWhere } from '../../support/needs/guard.ts'
import { createFolderOnSecondDisk, secondDisk } from '../../support/storage/second-disk.ts'
import { zoneEditor } from '../../support/zones/zone-fixture.ts'
import { openStoredTask, type StoredTask } from './support/stored-task.ts'

const itAcross = itWhere(secondDisk)
const email = 'friend@example.com'
const bytes = Uint8Array.of(7)
const at = '2026-11-20T00:00:00.000Z'

describe('npm run world: delete, restore and rename', () => {
  let stored: StoredTask
  let north: WorldRecord
  beforeEach(async () => {
    stored = await openStoredTask()
    const { task, zones, accountStore } = stored
    north = await task.worlds.createWorld({ name: 'north', seed: 7, generator: 'flat-1' })
    const lease = await stored.lease(north)
    await task.chunks.putMany(north, [{ cx: 0, cz: 0, bytes }], lease.fence, [{ key: 'history/1', bytes }])
    await lease.release()
    await zones.createZone(zoneEditor, { name: 'Town', yMin: 1, yMax: 9, chunks: [{ cx: 0, cz: 0 }], world: 'north' })
    const grants = [{ id: 'g', group: 'builder', world: 'north', by: 'operator', at }]
    const account = { email, playerId: zoneEditor.playerId, displayName: 'Friend', groups: [], createdAt: at, grants }
    await accountStore.change(email, () => ({ next: account, result: undefined }))
  })
  afterEach(() => stored.close())

  const zoneWorlds = async () => (await stored.zones.listZones()).map(({ zone }) => zone.world)
  const grantWorlds = async () => (await stored.accountStore.findByEmail(email))?.grants?.map(({ world }) => world)
  const entries = async (target: string) =>
    (await createStoreAuditLog(stored.store).listEntries({ limit: 50, target })).entries.map(({ action }) => action)
  const trashed = async (): Promise<string> => {
    const trash = join(stored.dataDir, 'trash')
    return join(trash, (await readdir(trash))[0] ?? '')
  }
  const open = () => stored.task.worlds.getWorld('north')

  it('deletes a world into the trash with its zones, audited, and prints what remains', async () => {
    const job = await stored.task.jobs.start(operatorActor('r'), pregenJob(north, { radius: 1 }))
    const { exit, out } = await stored.run(['delete', 'north'])
    expect(exit).toBe(0)
    expect(out).toContain('Deleted the world north and its 1 zone.')
    expect(out).toContain('1 account had grants for it')
    expect(out).toContain(await trashed())
    expect(await stored.task.worlds.listWorlds()).toEqual([])
    expect(await zoneWorlds()).toEqual([])
    expect((await stored.task.jobs.getJob(job.id)).state).toBe('cancelled')
    expect(await entries('north')).toContain('world.delete')
    expect(await stored.run(['delete', 'north'])).toEqual({ exit: 2, out: '', err: 'There is no world with that name.\n' })
    expect((await stored.run(['create', 'north'])).exit).toBe(0)
  })

  it('restores a deleted world with its id and history, also under another name', async () => {
    await stored.run(['delete', 'north'])
    const { exit, out } = await stored.run(['import', await trashed(), 'south'])
    expect([exit, out]).toEqual([0, expect.stringContaining('Restored south')])
    const south = await stored.task.worlds.getWorld('south')
    expect(south).toMatchObject({ id: north.id, seed: 7, generator: 'flat-1' })
    expect(await stored.task.chunks.listSide(south, 'history/')).toEqual([{ key: 'history/1', bytes: Buffer.from(bytes) }])
    const lease = await stored.lease(south)
    await stored.task.chunks.putMany(south, [{ cx: 1, cz: 0, bytes }], lease.fence)
    await lease.release()
  })

  itAcross('deletes, restores and renames worlds on a disk of their own', async () => {
    const disk = createFolderOnSecondDisk()
    try {
      const worldsDir = join(stored.dataDir, 'worlds')
      await stored.task.chunks.close()
      await cp(worldsDir, disk.path, { recursive: true })
      await rm(worldsDir, { recursive: true })
      await symlink(disk.path, worldsDir)
      expect((await stored.run(['delete', 'north'])).exit).toBe(0)
      expect(await readdir(join(await trashed(), 'chunks'))).toContain('data.mdb')
      expect((await readdir(disk.path)).filter((name) => name.includes('north'))).toEqual(['north.lease.lock'])
      expect((await stored.run(['import', await trashed(), 'south'])).exit).toBe(0)
      expect(await readdir(join(stored.dataDir, 'trash'))).toEqual([])
      expect((await stored.run(['rename', 'south', 'east'])).exit).toBe(0)
      expect(await readdir(join(disk.path, 'east'))).toContain('data.mdb')
    } finally {
      disk.remove()
    }
  })

  it('restores a deleted world once', async () => {
    await stored.run(['delete', 'north'])
    const folder = await trashed()
    const note = await readFile(join(folder, 'world.json'))
    expect((await stored.run(['import', folder, 'south'])).exit).toBe(0)
    expect((await stored.run(['import', folder, 'other'])).exit).toBe(2)
    // The state after a kill of the process before it removed the note.
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'world.json'), note)
    for (const name of ['other', 'south']) expect((await stored.run(['import', folder, name])).exit).toBe(2)
    expect((await stored.task.worlds.listWorlds()).map((world) => world.name)).not.toContain('other')
  })

  it('continues an interrupted restore, and overwrites no folder', async () => {
    await stored.run(['delete', 'north'])
    const folder = await trashed()
    await mkdir(join(stored.worldsDir, 'north'))
    expect(await stored.run(['import', folder, 'north'])).toMatchObject({
      exit: 2,
      err: expect.stringContaining('already exists'),
    })
    await rm(join(stored.worldsDir, 'north'), { recursive: true })
    await cp(join(folder, 'chunks'), join(stored.worldsDir, 'north'), { recursive: true })
    await rm(join(folder, 'chunks'), { recursive: true })
    expect((await stored.run(['import', folder, 'north'])).exit).toBe(0)
    expect((await stored.task.worlds.listWorlds())[0]).toMatchObject({ name: 'north', chunkCount: 1 })
  })

  it('removes the map images of a world, and with --now also those of an interrupted deletion', async () => {
    const pictures = join(stored.dataDir, 'map', north.id, 'all')
    const draw = () => mkdir(pictures, { recursive: true })
    await draw()
    await stored.run(['delete', 'north'])
    await expect(stat(pictures)).rejects.toThrow()
    const folder = await trashed()
    await stored.run(['import', folder, 'north'])
    await draw()
    const { store } = stored
    const nameRecord = await store.get(worldNames, 'north')
    const record = await store.get(worldRecords, 'north')
    if (nameRecord === undefined || record === undefined) throw new Error('the record is missing')
    const leaving = { world: record.value, what: 'delete' as const, to: 'north-cut-short' }
    await store.delete(worldRecords, 'north')
    await store.put(worldNames, 'north', { name: 'north', leaving })
    const cutShort = join(stored.dataDir, 'trash', 'north-cut-short')
    await mkdir(join(cutShort, 'chunks'), { recursive: true })
    expect((await stored.run(['delete', 'north', '--now'])).exit).toBe(0)
    for (const path of [pictures, cutShort]) await expect(stat(path)).rejects.toThrow()
  })

  it('deletes a world for good with --now', async () => {
    expect((await stored.run(['delete', 'north', '--now'])).exit).toBe(0)
    expect(await readdir(stored.dataDir)).not.toContain('trash')
    expect(await readdir(stored.worldsDir)).not.toContain('north')
  })

  it('renames a world with its chunks, history, zones and grants', async () => {
    const before = await open()
    const { exit, out } = await stored.run(['rename', 'north', 'south'])
    expect([exit, out]).toEqual([0, 'Renamed the world north to south, with 1 zone and the grants of 1 account.\n'])
    const south = await stored.task.worlds.getWorld('south')
    expect(south).toEqual({ ...before, name: 'south' })
    expect(await stored.task.chunks.get(south, { cx: 0, cz: 0 })).toEqual(Buffer.from(bytes))
    expect(await stored.task.chunks.listSide(south, 'history/')).toHaveLength(1)
    expect([await zoneWorlds(), await grantWorlds()]).toEqual([['south'], ['south']])
    expect(await entries('north')).toContain('world.rename')
    const overlapping = { name: 'Other', yMin: 5, yMax: 6, chunks: [{ cx: 0, cz: 0 }], world: 'south' }
    await expect(stored.zones.createZone(zoneEditor, overlapping)).rejects.toMatchObject({ slug: 'zone-overlap' })
    const lease = await stored.lease(south)
    await stored.task.chunks.putMany(south, [{ cx: 1, cz: 0, bytes }], lease.fence)
    await lease.release()
    expect((await stored.run(['create', 'north'])).exit).toBe(0)
  })

  it('refuses both while a node runs the world, and names the node', async () => {
    const lease = await stored.lease(north, 'node-1')
    for (const args of [
      ['delete', 'north'],
      ['delete', 'north', '--now'],
      ['rename', 'north', 'south'],
    ])
      expect(await stored.run(args)).toMatchObject({
        exit: 2,
        err: expect.stringContaining('is held by node-1. Stop that process first'),
      })
    await lease.release()
    expect(await zoneWorlds()).toEqual(['north'])
    expect(await open()).toEqual(north)
  })

  it.each([
    [['north', 'NORTH'], 'only in letter case'],
    [['north', 'no way'], 'cannot be created'],
    [['north', 'taken'], 'already exists'],
    [['north', 'stray'], 'but the folder'],
    [['nowhere', 'south'], 'There is no world'],
  ])('refuses to rename %j and changes nothing', async (names, reason) => {
    await stored.task.worlds.createWorld({ name: 'taken' })
    await mkdir(join(stored.worldsDir, 'stray'))
    expect(await stored.run(['rename', ...names])).toMatchObject({ exit: 2, err: expect.stringContaining(reason) })
    expect([await open(), await zoneWorlds()]).toEqual([north, ['north']])
  })

  it.each(['delete', 'rename'])('continues an interrupted %s, and keeps the name reserved', async (what) => {
    const names = { from: 'north', to: 'south' }
    const broken = createWorldMoves({
      ...stored.moveDeps,
      accountStore: { ...stored.accountStore, listAccounts: () => Promise.reject(new Error('killed')) },
    })
    const cut = what === 'delete' ? broken.deleteWorld({ name: 'north', now: false }) : broken.renameWorld(names)
    await expect(cut).rejects.toThrow('killed')
    expect((await stored.run(['create', 'north'])).err).toContain('was interrupted')
    expect((await stored.run(['list'])).err).toContain('was interrupted')
    const args = what === 'delete' ? ['delete', 'north'] : ['rename', 'north', 'south']
    expect((await stored.run(args)).exit).toBe(0)
    expect((await stored.run(['list'])).err).toBe('')
    expect(await zoneWorlds()).toEqual(what === 'delete' ? [] : ['south'])
  })

  it('keeps the states of modules in a rename and a restore, and erases them with --now', async () => {
    const { moduleStates } = stored.task
    const states = { spleef: { version: 2, value: { round: 3 } } }
    await moduleStates.put(north.id, states)
    await moduleStates.put('another', states)
    await stored.run(['rename', 'north', 'south'])
    expect(await moduleStates.list((await stored.task.worlds.getWorld('south')).id)).toEqual(states)
    await stored.run(['delete', 'south'])
    await stored.run(['import', await trashed(), 'east'])
    expect(await moduleStates.list((await stored.task.worlds.getWorld('east')).id)).toEqual(states)
    await stored.run(['delete', 'east', '--now'])
    expect(await moduleStates.list(north.id)).toEqual({})
    expect(await moduleStates.list('another')).toEqual(states)
  })

  it('restores a deleted world with its spawn', async () => {
    const spawn = { x: 40.5, y: 64, z: -8.5, yaw: 90 }
    await stored.task.worlds.setSpawn('north', spawn)
    await stored.run(['delete', 'north'])
    await stored.run(['import', await trashed(), 'north'])
    expect((await open()).spawn).toEqual(spawn)
  })

  it('reports what tables do not support, and erases with --now', async () => {
    const erased: string[] = []
    const inTables = createWorldMoves({
      ...stored.moveDeps,
      eraseTables: async ({ name }) => {
        erased.push(name)
      },
    })
    expect((await stored.run(['delete', 'north'], { with: inTables })).err).toContain('DynamoDB has no trash folder')
    expect((await stored.run(['rename', 'north', 'south'], { with: inTables })).err).toContain('cannot be renamed')
    expect((await stored.run(['delete', 'north', '--now'], { with: inTables })).exit).toBe(0)
    expect(erased).toEqual(['north'])
  })

  it('reports a folder whose world has no record, and a folder of another world', async () => {
    await cp(join(stored.worldsDir, 'north'), join(stored.worldsDir, 'old'), { recursive: true })
    await writeFile(join(stored.worldsDir, 'notes.txt'), '')
    expect((await stored.run(['list'])).err).toContain(`the world "north" with the id ${north.id}, as in an older backup`)
    await stored.task.worlds.createWorld({ name: 'old' })
    expect((await stored.run(['list'])).err).toContain('old: The chunks of the world old cannot be used')
  })
})
