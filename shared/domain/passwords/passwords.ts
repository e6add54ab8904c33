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

/** `caller` is a client's address, which counts by its block, or the playerId of an administrator. Callers get their turns one after another. */
export type PasswordHasher = {
  /** The bcrypt hash of a password that `validatePassword` let through. */
  hash(password: string, caller: string): Promise<string>
  /**
   * Whether `hash` is of `password`, in Unicode's composed form or as it was typed. Without a hash, or with one that is not bcrypt's or of
   * a lower cost, the answer takes as long: as long as the slowest one in use.
   */
  verify(password: string, hash: string | undefined, caller: string): Promise<boolean>
  /** The same; `stale` for a hash of `password` that should be made again: of another cost, or of the password as it was typed. */
  prove(password: string, hash: string | undefined, caller: string): Promise<'wrong' | 'right' | 'stale'>
  /** Passwords that wait for a thread at this moment. */
  waiting(): number
  /** Resolves once what was asked for is done and the threads are gone; anything later is refused. */
  close(): Promise<void>
}

export type PasswordHasherOptions = {
  /** Worker threads at the most; one less than there are cores, when absent. */
  readonly threads?: number
  /** Passwords of all callers that may wait for a thread; 64 when absent. */
  readonly queueMax?: number
  /** Passwords of one caller that may wait for a thread; 16 when absent. */
  readonly queueMaxPerCaller?: number
  /** bcrypt's work factor of new hashes, 4 to 14; a function is asked again each time. */
  readonly cost: number | (() => number)
  /** Known to this process alone when absent. */
  readonly slowestCost?: SlowestCost
}

const bytesMin = 8
const bytesMax = 72
const saltLength = 29
const idleMs = 30_000
const dummySalt = 'abcdefghijklmnopqrstuu'

/** One form of what keyboards write in several: "ä" is one character, or "a" and a mark. */
const normalizePassword = (password: string): string => password.normalize('NFC')

/** What bcrypt cannot tell from another password. */
const describeUnhashable = (password: string): string | undefined => {
  if (Buffer.byteLength(password, 'utf8') > bytesMax)
    return `must be at most ${bytesMax} bytes long; letters outside of ASCII count as two to four`
  if (password.includes('\0')) return 'must not hold the character NUL'
  return undefined
}

/** Throws AppError `invalid` that names the fault by `pointer` unless `password` may be set: in composed form 8 to 72 bytes of UTF-8 (bcrypt reads no further), no NUL. */
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

/** About how long `jobs` hashes take: a quarter of a second for one of cost 12, twice as much for each cost more. */
const estimateSeconds = (jobs: number, threads: number, cost: number): number =>
  Math.min(60, Math.max(1, Math.ceil((jobs * 2 ** (cost - 14)) / threads)))

/**
 * bcrypt in worker threads, so that neither the game loop nor a request waits for a hash. They start with the first password and end after
 * half a minute without one. Callers get their turns one after another, so a flood from one address block does not delay the others.
 * Throws AppError `unavailable`, slug `hashing-busy`, when the queue is full for the caller.
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
    if (made === undefined) throw new TypeError('a password job answered nothing')
    return made
  }

  /** How many hashes are computed, and of which cost, depends on what was typed alone. */
  const prove: PasswordHasher['prove'] = async (typed, stored, caller) => {
    const password = normalizePassword(typed)
    const forms = typed === password ? [password] : [password, typed]
    const own = stored === undefined ? undefined : findHashCost(stored)
    const slowest = Math.max(currentCost(), await slowestCost.find())
    const salt = own === undefined ? `$2b$${String(slowest).padStart(2, '0')}$${dummySalt}` : (stored ?? '').slice(0, saltLength)
    // The end of a longer one does not count any more: its answer is false.
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
