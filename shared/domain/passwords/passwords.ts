import { timingSafeEqual } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { AppError } from '../../kernel/errors.ts'
import { createThreadPool, type ThreadPool } from '../../kernel/thread-pool.ts'
import { addressBlockOf } from '../../platform/limits/address-block.ts'
import { createFairQueue } from '../../platform/limits/fair-queue.ts'
import { moduleBeside } from '../../platform/process/module-beside.ts'
import { findHashCost } from './password-hash.ts'
import type { PasswordJob } from './password-worker.ts'
import type { SlowestCost } from './slowest-cost.ts'

/** `caller` is the address of a client, counted by its block, or the playerId of an administrator. Callers take turns. */
export type PasswordHasher = {
  /** The bcrypt hash of a password that passed `validatePassword`. */
  hash(password: string, caller: string): Promise<string>
  /**
   * Whether `hash` is of `password`, in Unicode's composed form or as typed. Always takes as long as the slowest hash in use: also
   * without a hash, and with one of a lower cost or not of bcrypt.
   */
  verify(password: string, hash: string | undefined, caller: string): Promise<boolean>
  /** As `verify`. Answers `stale` if the hash matches and should be replaced: it has another cost, or is of the password as typed. */
  prove(password: string, hash: string | undefined, caller: string): Promise<'wrong' | 'right' | 'stale'>
  /** The number of passwords that wait for a thread. */
  waiting(): number
  /** Resolves when pending work is done and the threads have ended. Later calls are refused. */
  close(): Promise<void>
}

export type PasswordHasherOptions = {
  /** The maximum number of worker threads; one less than the cores when absent. */
  readonly threads?: number
  /** Passwords of all callers that may wait for a thread; 64 when absent. */
  readonly queueMax?: number
  /** Passwords of one caller that may wait for a thread; 16 when absent. */
  readonly queueMaxPerCaller?: number
  /** bcrypt's work factor for new hashes, 4 to 14. A function is called each time. */
  readonly cost: number | (() => number)
  /** Local to this process when absent. */
  readonly slowestCost?: SlowestCost
}

const bytesMin = 8
const bytesMax = 72
const saltLength = 29
const idleMs = 30_000
const dummySalt = 'abcdefghijklmnopqrstuu'

/** The composed form. Keyboards write some characters in several ways: "ä" is one character, or "a" and a mark. */
const normalizePassword = (password: string): string => password.normalize('NFC')

/** The reason why bcrypt would confuse this password with another one. */
const describeUnhashable = (password: string): string | undefined => {
  if (Buffer.byteLength(password, 'utf8') > bytesMax)
    return `must be at most ${bytesMax} bytes long; letters outside ASCII count as two to four`
  if (password.includes('\0')) return 'must not contain the character NUL'
  return undefined
}

/**
 * Throws AppError `invalid` with `pointer` unless `password` may be set. In composed form it needs 8 to 72 bytes of UTF-8 (bcrypt reads
 * no more) and no NUL.
 */
export const validatePassword = (typed: string, pointer = '/password'): void => {
  const password = normalizePassword(typed)
  const isShort = Buffer.byteLength(password, 'utf8') < bytesMin
  const message = isShort ? `must be at least ${bytesMin} bytes long` : describeUnhashable(password)
  if (message === undefined) return
  throw new AppError('invalid', 'bad-request', `The password ${message}.`, { errors: [{ pointer, message }] })
}

const createProcessCost = (): SlowestCost => {
  let slowest = 0
  return {
    find: async () => slowest,
    note: async (cost) => {
      slowest = Math.max(slowest, cost)
    },
  }
}

const createPool = (threads: number): ThreadPool<PasswordJob> =>
  createThreadPool({
    module: moduleBeside('password-worker', import.meta.url),
    name: 'runPasswordJob',
    maxThreads: threads,
    idleMs,
  })

/** An estimate of the time for `jobs` hashes: a quarter of a second at cost 12, doubling with each cost. */
const estimateSeconds = (jobs: number, threads: number, cost: number): number =>
  Math.min(60, Math.max(1, Math.ceil((jobs * 2 ** (cost - 14)) / threads)))

/**
 * bcrypt in worker threads, so that the game loop and requests do not wait for a hash. The threads start with the first password and
 * end after half a minute without one. Callers take turns, so a flood from one address block does not delay the others.
 * Throws AppError `unavailable`, slug `hashing-busy`, if the queue is full for the caller.
 */
export const createPasswordHasher = ({
  threads = Math.max(1, availableParallelism() - 1),
  queueMax = 64,
  queueMaxPerCaller = 16,
  cost,
  slowestCost = createProcessCost(),
}: PasswordHasherOptions): PasswordHasher => {
  let pool: ThreadPool<PasswordJob> | undefined
  const accepted = new Set<Promise<readonly string[]>>()
  let closed = false
  const currentCost = () => (typeof cost === 'number' ? cost : cost())

  const busy = () =>
    new AppError('unavailable', 'hashing-busy', 'Too many passwords are being checked. Try again in a moment.', {
      retryAfterSeconds: estimateSeconds(accepted.size, threads, currentCost()),
    })
  const queue = createFairQueue({
    slots: threads,
    waitingMax: queueMaxPerCaller,
    waitingMaxOfAll: queueMax,
    turnsRemembered: 256,
    refusal: busy,
  })

  const run = async (job: PasswordJob, caller: string): Promise<readonly string[]> => {
    if (closed) throw busy()
    const computing = queue.run(addressBlockOf(caller), () => {
      pool ??= createPool(threads)
      return pool.run<readonly string[]>(job)
    })
    accepted.add(computing)
    try {
      return await computing
    } finally {
      accepted.delete(computing)
    }
  }

  const hash: PasswordHasher['hash'] = async (password, caller) => {
    const own = currentCost()
    const hashing = run({ forms: [normalizePassword(password)], salt: own, cost: own }, caller)
    const [[made]] = await Promise.all([hashing, slowestCost.note(own)])
    if (made === undefined) throw new TypeError('a password job returned nothing')
    return made
  }

  /** The number and cost of the hashes depend only on the typed password. */
  const prove: PasswordHasher['prove'] = async (typed, stored, caller) => {
    const password = normalizePassword(typed)
    const forms = typed === password ? [password] : [password, typed]
    const own = stored === undefined ? undefined : findHashCost(stored)
    const slowest = Math.max(currentCost(), await slowestCost.find())
    const salt = own === undefined ? `$2b$${String(slowest).padStart(2, '0')}$${dummySalt}` : (stored ?? '').slice(0, saltLength)
    // Hashes only what bcrypt reads. A longer password does not match anyway.
    const cut = forms.map((form) => form.slice(0, bytesMax))
    const computed = await run({ forms: cut, salt, cost: slowest }, caller)
    if (stored === undefined || own === undefined) return 'wrong'
    await slowestCost.note(own)
    const matches = forms.map(
      (form, at) =>
        describeUnhashable(form) === undefined && timingSafeEqual(Buffer.from(computed[at] ?? ''), Buffer.from(stored)),
    )
    if (!matches.includes(true)) return 'wrong'
    return matches[0] === true && own === currentCost() ? 'right' : 'stale'
  }

  return {
    waiting: () => Math.max(0, accepted.size - threads),
    hash,
    prove,
    verify: async (password, stored, caller) => (await prove(password, stored, caller)) !== 'wrong',
    close: async () => {
      closed = true
      await Promise.allSettled(accepted)
      await pool?.close()
    },
  }
}
