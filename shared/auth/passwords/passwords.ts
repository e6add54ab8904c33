import { timingSafeEqual } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { AppError } from '../../kernel/errors.ts'
import { createThreadPool, type ThreadPool } from '../../kernel/thread-pool.ts'
import { moduleBeside } from '../../process/module-beside.ts'
import { isPasswordHash } from './password-hash.ts'
import type { PasswordJob } from './password-worker.ts'

export type PasswordHasher = {
  /** The bcrypt hash of a password that `validatePassword` let through. */
  hash(password: string): Promise<string>
  /** Whether `hash` is of `password`. Without a hash, or with one that is not bcrypt's, the answer is false and takes as long. */
  verify(password: string, hash: string | undefined): Promise<boolean>
  /** Passwords that wait for a thread at this moment. */
  waiting(): number
  /** Resolves once what was asked for is done and the threads are gone; anything later is refused. */
  close(): Promise<void>
}

export type PasswordHasherOptions = {
  /** Worker threads at the most; one less than there are cores, when absent. */
  readonly threads?: number
  /** Passwords that may wait for a thread; 64 when absent. */
  readonly queueMax?: number
  /** bcrypt's work factor of new hashes, 4 to 14; a function is asked again each time. */
  readonly cost: number | (() => number)
}

const bytesMin = 8
const bytesMax = 72
const saltLength = 29
const idleMs = 30_000
const dummySalt = 'abcdefghijklmnopqrstuu'

/** What bcrypt cannot tell from another password. */
const describeUnhashable = (password: string): string | undefined => {
  if (Buffer.byteLength(password, 'utf8') > bytesMax)
    return `must be at most ${bytesMax} bytes long; letters outside of ASCII count as two to four`
  if (password.includes('\0')) return 'must not hold the character NUL'
  return undefined
}

/** Throws AppError `invalid` that names the fault by `pointer` unless `password` may be set: 8 to 72 bytes of UTF-8 (bcrypt reads no further), no NUL. */
export const validatePassword = (password: string, pointer = '/password'): void => {
  const isShort = Buffer.byteLength(password, 'utf8') < bytesMin
  const message = isShort ? `must be at least ${bytesMin} bytes long` : describeUnhashable(password)
  if (message === undefined) return
  throw new AppError('invalid', 'bad-request', `The password ${message}.`, { errors: [{ pointer, message }] })
}

const createPool = (threads: number): ThreadPool<PasswordJob> =>
  createThreadPool({
    module: moduleBeside('password-worker', import.meta.url),
    name: 'runPasswordJob',
    maxThreads: threads,
    idleMs,
  })

/** About how long a full queue takes: a quarter of a second for one hash of cost 12, twice as much for each cost more. */
const estimateSeconds = (jobs: number, threads: number, cost: number): number =>
  Math.min(60, Math.max(1, Math.ceil((jobs * 2 ** (cost - 14)) / threads)))

/**
 * bcrypt in worker threads, so that neither the game loop nor a request waits for a hash. They start with the first password and end after
 * half a minute without one. When `queueMax` are waiting, throws AppError `unavailable`, slug `hashing-busy`.
 */
export const createPasswordHasher = ({
  threads = Math.max(1, availableParallelism() - 1),
  queueMax = 64,
  cost,
}: PasswordHasherOptions): PasswordHasher => {
  let pool: ThreadPool<PasswordJob> | undefined
  const running = new Set<Promise<string>>()
  let closed = false
  const currentCost = () => (typeof cost === 'number' ? cost : cost())

  const run = async (job: PasswordJob): Promise<string> => {
    if (closed || running.size >= threads + queueMax)
      throw new AppError('unavailable', 'hashing-busy', 'Too many passwords are being checked at this moment.', {
        retryAfterSeconds: estimateSeconds(running.size, threads, currentCost()),
      })
    pool ??= createPool(threads)
    const computing = pool.run<string>(job)
    running.add(computing)
    try {
      return await computing
    } finally {
      running.delete(computing)
    }
  }

  return {
    waiting: () => Math.max(0, running.size - threads),
    hash: (password) => run({ password, salt: currentCost() }),
    verify: async (password, hash) => {
      const usable = hash !== undefined && isPasswordHash(hash) && describeUnhashable(password) === undefined
      const salt = usable ? hash.slice(0, saltLength) : `$2b$${String(currentCost()).padStart(2, '0')}$${dummySalt}`
      // The end of a longer one does not count any more: its answer is false.
      const computed = await run({ password: password.slice(0, bytesMax), salt })
      return usable && timingSafeEqual(Buffer.from(computed), Buffer.from(hash))
    },
    close: async () => {
      closed = true
      await Promise.allSettled(running)
      await pool?.close()
    },
  }
}
