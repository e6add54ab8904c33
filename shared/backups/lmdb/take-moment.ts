import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { open, type RootDatabase } from 'lmdb'
import type { Copied } from './copy-messages.ts'

/** The copies of one moment begin in milliseconds; more means that the disk or the machine hangs. */
const holdMsMax = 5000
const pollMs = 1

/** Nobody wakes it. */
const turn = new Int32Array(new SharedArrayBuffer(4))

const openSource = (path: string): RootDatabase<Buffer, Buffer> =>
  open<Buffer, Buffer>({ path, noSubdir: false, overlappingSync: false, eventTurnBatching: false, keyEncoding: 'binary' })

/** Whether a copy of this process has its snapshot: its reader is in the table with a transaction. */
const hasSnapshot = (source: RootDatabase): boolean =>
  source
    .readerList()
    .split('\n')
    .some((line) => {
      const [pid, , transaction] = line.trim().split(/\s+/)
      return pid === String(process.pid) && /^\d+$/.test(transaction ?? '')
    })

/** A small copy may be whole already, and its reader gone. */
const hasBegun = (to: string): boolean => (statSync(join(to, 'data.mdb'), { throwIfNoEntry: false })?.size ?? 0) > 0

/**
 * Copies LMDB environments as they are at one moment: while the write locks of all are held, so that no process commits anywhere, each copy
 * begins its snapshot. The locks are free again after some milliseconds, when `taken` is called; resolves when the copies are whole.
 */
export const takeMoment = async (environments: readonly Copied[], taken: () => void): Promise<void> => {
  const sources = environments.map(({ from, to }) => ({ to, source: openSource(from) }))
  const copies: Promise<void>[] = []
  const begin = (): void => {
    for (const { source, to } of sources) {
      mkdirSync(to, { recursive: true, mode: 0o700 })
      copies.push(source.backup(to, true))
    }
    const untilMs = performance.now() + holdMsMax
    while (!sources.every(({ source, to }) => hasSnapshot(source) || hasBegun(to))) {
      if (performance.now() > untilMs) throw new Error('the copies did not begin in time')
      // The threads that begin them may need this processor.
      Atomics.wait(turn, 0, 0, pollMs)
    }
  }
  const holdAll = (from: number): void => {
    const next = sources[from]
    if (next === undefined) begin()
    else next.source.transactionSync(() => holdAll(from + 1))
  }
  const attempt = (): unknown => {
    try {
      holdAll(0)
      taken()
      return undefined
    } catch (error) {
      return error
    }
  }
  const failure = attempt()
  const outcomes = await Promise.allSettled(copies)
  await Promise.allSettled(sources.map(({ source }) => source.close()))
  if (failure !== undefined) throw failure
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
}
