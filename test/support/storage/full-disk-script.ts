import { scrypt } from 'node:crypto'
import { rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLmdbChunkStore } from '../../../shared/domain/worlds/store/lmdb/chunk-store-lmdb.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import { systemIds } from '../../../shared/kernel/ids.ts'
import { createLmdbStore } from '../../../shared/platform/storage/lmdb/lmdb-store.ts'
import { batchOf, batchWorld } from '../worlds/chunk-batches.ts'
import { counters } from './counter-collection.ts'

/**
 * `<folder>`, a small disk: fills it by three concurrent writes next to other work on Node's file threads, first with chunks,
 * then with records. It prints the refusals, whether the expected space is free, and whether writes succeed when there is room
 * again.
 */
const run = async (): Promise<void> => {
  const [folder = ''] = process.argv.slice(2)
  const mib = 2 ** 20
  const store = createLmdbStore({ path: join(folder, 'records'), ids: systemIds })
  const chunks = createLmdbChunkStore({ path: join(folder, 'worlds') })
  const ballast = join(folder, 'ballast')
  const say = (line: string): void => {
    process.stdout.write(`${line}\n`)
  }

  let isDone = false
  const work = (): void => scrypt('password', 'salt', 32, () => isDone || work())

  const freeMib = (): number => {
    const { bavail, bsize } = statfsSync(folder)
    return (bavail * bsize) / mib
  }

  type Fill = {
    readonly keptMib: number
    readonly write: (n: number) => Promise<unknown>
    readonly whenFull?: () => Promise<void>
  }

  const fill = async ({ keptMib, write, whenFull }: Fill): Promise<void> => {
    writeFileSync(ballast, Buffer.alloc(4 * mib))
    for (let n = 0; n < 100_000; n += 3) {
      const outcomes = await Promise.allSettled([write(n), write(n + 1), write(n + 2)])
      const refusal = outcomes.find((outcome) => outcome.status === 'rejected')?.reason
      if (refusal === undefined) continue
      say(refusal instanceof AppError ? `${refusal.slug}: ${refusal.publicDetail}` : String(refusal))
      say(`free ${Math.abs(freeMib() - keptMib) < 0.5}`)
      await whenFull?.()
      rmSync(ballast)
      await write(n)
      say('goes on')
      return
    }
  }

  /** Each write on its own has room. */
  const writeTooManyAtOnce = async (): Promise<void> => {
    const value = 'x'.repeat(1.5e6)
    const attempts = Array.from({ length: 30 }, (_, n) => store.commit([{ kind: 'put', collection: 'large', id: `${n}`, value }]))
    const outcomes = await Promise.allSettled(attempts)
    say(`at once ${outcomes.filter(({ status }) => status === 'fulfilled').length}, free ${freeMib() > 3.5}`)
  }

  work()
  const writeRecord = async (): Promise<void> => {
    await store.put(counters, 'small', { n: 0 })
    say('records go on')
  }
  await fill({ keptMib: 16, write: (n) => chunks.putMany(batchWorld, batchOf(n), 1), whenFull: writeRecord })
  await chunks.close()
  rmSync(join(folder, 'worlds'), { recursive: true })
  await writeTooManyAtOnce()
  await fill({ keptMib: 4, write: (n) => store.put(counters, `${n}/${'x'.repeat(400)}`, { n }) })
  isDone = true
  await store.close()
}

export const main = run()
