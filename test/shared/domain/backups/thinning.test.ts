import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { BackupWork } from '../../../../shared/domain/backups/backup.ts'
import { createBackups } from '../../../../shared/domain/backups/files/create-backups.ts'
import { createBlockRegistry } from '../../../../shared/domain/worlds/chunks/block-registry.ts'
import { encodeChunk } from '../../../../shared/domain/worlds/chunks/compress-chunk.ts'
import { createFlatGenerator } from '../../../../shared/domain/worlds/generation/flat-generator.ts'
import { systemIds as ids } from '../../../../shared/kernel/ids.ts'
import { parseEnvironment } from '../../../../shared/platform/process/environment.ts'
import { openServices } from '../../../../shared/services/services.ts'
import { createTempDir } from '../../../support/processes/temp-dir.ts'
import { silentLog } from '../../../support/time/silent-log.ts'

const registry = createBlockRegistry([{ id: 'stone', name: 'stone', colour: 0, solid: true }])
const flat = createFlatGenerator({ flat: { layers: [{ block: 'stone', height: 60 }] } }, registry)
const column = encodeChunk(flat.generate(0, 0), registry)
const sixHoursMs = 6 * 3_600_000

let root: Awaited<ReturnType<typeof createTempDir>>
let dataDir: string
beforeAll(async () => {
  root = await createTempDir()
  dataDir = join(root.path, 'data')
  const services = await openServices(parseEnvironment({ DATA_DIR: dataDir }, 'all'), silentLog)
  const world = await services.worlds.createWorld({ name: 'a', generator: 'flat-1' })
  await services.chunks.putMany(world, [{ cx: 0, cz: 0, bytes: column }], 1)
  await services.close()
})
afterAll(() => root.remove())

const damageColumn = async (): Promise<void> => {
  const path = join(dataDir, 'worlds', 'a', 'data.mdb')
  const bytes = await readFile(path)
  const part = column.subarray(4, 40)
  // Damages every copy of the column, because free pages contain it too.
  for (let at = bytes.indexOf(part); at >= 0; at = bytes.indexOf(part, at + part.length))
    bytes.writeUInt8(bytes.readUInt8(at + 8) ^ 1, at + 8)
  await writeFile(path, bytes)
}

it('thins after a failed verification, keeps the last good one, and stops on abort', async () => {
  let nowMs = Date.parse('2026-11-23T00:00:00.000Z')
  const clock = { now: () => nowMs }
  const keep = () => ({ last: 2, daily: 0, weekly: 0 })
  const backups = createBackups({ dataDir, backupDir: join(root.path, 'backups'), clock, ids, keep })
  const work = (): BackupWork => ({ signal: new AbortController().signal, tell: () => undefined })
  const good = await backups.create(work())
  await damageColumn()
  for (let made = 0; made < 4; made += 1) {
    nowMs += sixHoursMs
    await expect(backups.create(work())).rejects.toMatchObject({ slug: 'damaged-backup' })
  }
  const left = await backups.list()
  expect(left.map(({ id, verifiedAt }) => [id === good.id, verifiedAt !== undefined])).toEqual([
    [false, false],
    [false, false],
    [true, true],
  ])

  nowMs += sixHoursMs
  const stop = new AbortController()
  const stopped = backups.create({
    signal: stop.signal,
    tell: ({ progress }) => progress === 0.5 && stop.abort(new Error('stopped')),
  })
  await expect(stopped).rejects.toThrow('stopped')
  expect((await backups.list()).slice(1)).toEqual(left)
})
