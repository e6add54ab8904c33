import { spawnSync } from 'node:child_process'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { createLmdbChunkStore } from '../../../shared/domain/worlds/store/lmdb/chunk-store-lmdb.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import { batchOf, batchWorld } from './chunk-batches.ts'

/**
 * `write <path> <first> <streams>`: writes batches without end, `streams` at once, from number `first` on; prints the number of each.
 * `fill <path>`: writes with no room, then with little until it is refused, then with room again; prints the result of each step.
 * `zeros <path>`: writes, fills the file with zeros behind its headers, and writes twice; prints the result of each write.
 * `try <path>`: reads and writes once; prints the results.
 */
const run = async (): Promise<void> => {
  const [mode, path = '', argument = '', streams = '1'] = process.argv.slice(2)
  const store = createLmdbChunkStore({ path })
  const say = (line: string): void => {
    process.stdout.write(`${line}\n`)
  }

  const writeWithoutEnd = async (): Promise<void> => {
    let next = Number(argument)
    const stream = async (): Promise<never> => {
      for (;;) {
        const n = next
        next += 1
        await store.putMany(batchWorld, batchOf(n), 1)
        say(String(n))
      }
    }
    await Promise.all(Array.from({ length: Number(streams) }, stream))
  }

  /** Limits the size of files of this process, to simulate a small disk. */
  const limitFiles = (bytes: number | 'unlimited'): void => {
    const { status, stderr } = spawnSync('prlimit', ['--pid', String(process.pid), `--fsize=${bytes}:`])
    if (status !== 0) throw new Error(`prlimit failed: ${stderr}`)
  }

  const outcomeOf = async (work: Promise<unknown>): Promise<string> => {
    try {
      await work
      return 'ok'
    } catch (error) {
      return error instanceof AppError ? `${error.slug}: ${error.publicDetail}` : String(error)
    }
  }

  const writeUntilRefused = async (first: number): Promise<{ next: number; refusal: string }> => {
    for (let next = first; ; next += 1) {
      const outcome = await outcomeOf(store.putMany(batchWorld, batchOf(next), 1))
      if (outcome !== 'ok') return { next, refusal: outcome }
    }
  }

  const fill = async (): Promise<void> => {
    limitFiles(4096)
    say(await outcomeOf(store.putMany(batchWorld, batchOf(0), 1)))
    limitFiles(2_000_000)
    const { next, refusal } = await writeUntilRefused(0)
    say(refusal)
    // In one transaction with a write that fits.
    const both = await Promise.all([
      outcomeOf(store.putMany(batchWorld, batchOf(next), 1)),
      outcomeOf(store.putMany(batchWorld, batchOf(next + 1), 1)),
    ])
    say(both.map((outcome) => outcome.split(':')[0]).join())
    say(`columns ${(await store.stats(batchWorld)).chunkCount / batchOf(0).length}, batches ${next}`)
    const reads = await store.getMany(batchWorld, batchOf(0))
    say(`reads ${reads.every((bytes) => bytes !== undefined)}`)
    limitFiles('unlimited')
    say(await outcomeOf(store.putMany(batchWorld, batchOf(next), 1)))
    say(await outcomeOf(store.putMany(batchWorld, batchOf(next + 1), 1)))
    say(String(next + 2))
  }

  const writeOverZeros = async (): Promise<void> => {
    for (let n = 0; n < 60; n += 1) await store.putMany(batchWorld, batchOf(n), 1)
    const headersBytes = 8192
    const file = await open(join(path, batchWorld.name, 'data.mdb'), 'r+')
    const { size } = await file.stat()
    await file.write(Buffer.alloc(size - headersBytes), 0, size - headersBytes, headersBytes)
    await file.close()
    for (const n of [3, 40]) say(await outcomeOf(store.putMany(batchWorld, batchOf(n), 1)))
  }

  if (mode === 'write') await writeWithoutEnd()
  else if (mode === 'fill') await fill()
  else if (mode === 'zeros') await writeOverZeros()
  else {
    say(await outcomeOf(store.get(batchWorld, { cx: 0, cz: 0 })))
    const outcome = await outcomeOf(store.putMany(batchWorld, batchOf(1), 1))
    say(outcome)
    // At this point LMDB 3.5.6 may have corrupted the memory (lmdb-room.ts), and later results would prove nothing about our
    // code.
    if (outcome.startsWith('storage-full')) process.kill(process.pid, 'SIGKILL')
  }
  await store.close()
}

export const main = run()
