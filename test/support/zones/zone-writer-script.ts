import { once } from 'node:events'
import { join } from 'node:path'
import { createLmdbChunkStore } from '../../../shared/domain/worlds/store/lmdb/chunk-store-lmdb.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import { systemIds } from '../../../shared/kernel/ids.ts'
import { createLmdbStore } from '../../../shared/platform/storage/lmdb/lmdb-store.ts'
import { createZoneFixture, squareOf, zoneEditor } from './zone-fixture.ts'

/**
 * `<path> <label>`: prints `ready`. At a line of input it creates fifty zones at once on the column 0,0. At the next line it
 * creates one on each of thirty-two columns, in a race with another process. Each time it prints the number of new zones and the
 * other refusals.
 */
const run = async (): Promise<void> => {
  const [path = '', label = ''] = process.argv.slice(2)
  const fixture = await createZoneFixture({
    store: createLmdbStore({ path: join(path, 'records'), ids: systemIds }),
    chunks: createLmdbChunkStore({ path: join(path, 'worlds') }),
  })

  const create = async (cx: number, cz: number): Promise<string> => {
    try {
      await fixture.zones.createZone(zoneEditor, { name: label, yMin: 0, yMax: 9, chunks: [{ cx, cz }] })
      return 'made'
    } catch (error) {
      return error instanceof AppError ? error.slug : String(error)
    }
  }

  const say = (outcomes: readonly string[]): void => {
    const refusals = outcomes.filter((outcome) => outcome !== 'made')
    process.stdout.write(`${outcomes.length - refusals.length} ${[...new Set(refusals)].join()}\n`)
  }

  process.stdout.write('ready\n')
  await once(process.stdin, 'data')
  say(await Promise.all(Array.from({ length: 50 }, () => create(0, 0))))
  await once(process.stdin, 'data')
  say(
    await Promise.all(
      squareOf(-4, -4, 8)
        .slice(0, 32)
        .map(({ cx, cz }) => create(cx, cz)),
    ),
  )
  process.stdin.destroy()
  await fixture.close()
}

export const main = run()
