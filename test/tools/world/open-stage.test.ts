import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { openStage, type StageDeps } from '../../../shared/domain/world-moves/files/import/open-stage.ts'
import { waitFor } from '../../support/time/wait-for.ts'
import { openStoredTask, type StoredTask } from './support/stored-task.ts'

const half = [{ cx: 99, cz: 99, bytes: Buffer.from('half') }]

describe('an imported world', () => {
  let stored: StoredTask
  let file: string
  beforeEach(async () => {
    stored = await openStoredTask()
    file = join(stored.dataDir, 'north.world')
    await stored.task.worlds.createWorld({ name: 'north', seed: 7, generator: 'flat-1' })
    await stored.run(['pregen', 'north', '--radius', '1'])
    await stored.run(['export', 'north', file])
  })
  afterEach(() => stored.close())

  const names = async () => (await stored.task.worlds.listWorlds()).map(({ name }) => name)
  /** The state after a kill of an importing process: no lock, and partial data. */
  const killedImport = async (changed: Partial<StageDeps['worlds']> = {}) => {
    const lease = {
      fence: 1,
      isHeld: () => true,
      isLost: () => false,
      concede: () => undefined,
      sinceRenewalMs: () => 0,
      onLost: () => undefined,
      release: async () => undefined,
    }
    const worlds = { ...stored.stageDeps.worlds, ...changed }
    const stage = await openStage({ ...stored.stageDeps, worlds, acquireLease: async () => lease }, 'copy')
    await stage.chunks.putMany(stage.world, half, stage.fence)
    return stage
  }
  const expectWhole = async () => {
    expect(await stored.run(['import', file, 'copy'])).toEqual({ exit: 0, out: 'Imported 9 columns as copy.\n', err: '' })
    expect(await stored.run(['check', 'copy'])).toMatchObject({ exit: 0, out: 'All 9 columns of copy are valid.\n' })
  }

  it('can be imported again after a kill halfway, and its partial chunks are never visible', async () => {
    const stage = await killedImport()
    await stage.chunks.close()
    expect(await names()).toEqual(['north'])
    await expectWhole()
  })

  it('can be imported again after a kill between the chunks and the record of the world', async () => {
    let isReached = false
    const createWorld = () => {
      isReached = true
      return new Promise<never>(() => undefined)
    }
    const stage = await killedImport({ createWorld })
    void stage.publish({})
    await waitFor(() => isReached)
    expect(await readdir(stored.worldsDir)).toContain('copy')
    expect(await names()).toEqual(['north'])
    await expectWhole()
  })

  it('does not exist, chunks included, when its record cannot be created', async () => {
    const stage = await killedImport()
    await stored.task.worlds.createWorld({ name: 'COPY' })
    await expect(stage.publish({})).rejects.toMatchObject({ kind: 'conflict', slug: 'already-exists' })
    await stage.close()
    expect((await readdir(stored.worldsDir)).filter((name) => /copy$|importing/.test(name))).toEqual([])
  })

  it('is imported by one process at a time', async () => {
    const stage = await stored.task.openStage('copy')
    const { exit, err } = await stored.run(['import', file, 'copy'])
    expect([exit, err]).toEqual([2, expect.stringContaining('held by a test')])
    await stage.close()
    await expectWhole()
  })
})
