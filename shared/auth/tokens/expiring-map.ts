import type { Clock } from '../../kernel/clock.ts'

type Expiring = { readonly expiresAt: number }

type ExpiringMap<V extends Expiring> = {
  /** The entry while it lives: `expiresAt`, in milliseconds since the epoch, is the first moment at which it does not. */
  get(key: string): V | undefined
  set(key: string, value: V): void
  delete(key: string): void
  /** Live entries, the longest untouched first. */
  values(): Iterable<V>
  /** All entries held, the ended ones not yet swept included. */
  readonly size: number
}

/** A map whose entries end by `clock`. Each write also looks at two entries and drops those that ended, so that it holds little more than what lives, without ever pausing for a sweep. */
export const createExpiringMap = <V extends Expiring>(clock: Clock): ExpiringMap<V> => {
  const entries = new Map<string, V>()
  const isAlive = ({ expiresAt }: Expiring) => expiresAt > clock.now()
  let sweep = entries.entries()

  const sweepTwo = () => {
    for (let looked = 0; looked < 2; looked++) {
      const next = sweep.next()
      if (next.done) {
        sweep = entries.entries()
        return
      }
      if (!isAlive(next.value[1])) entries.delete(next.value[0])
    }
  }

  return {
    get: (key) => {
      const entry = entries.get(key)
      return entry !== undefined && isAlive(entry) ? entry : undefined
    },
    set: (key, value) => {
      sweepTwo()
      entries.delete(key)
      entries.set(key, value)
    },
    delete: (key) => {
      entries.delete(key)
    },
    *values() {
      for (const entry of entries.values()) if (isAlive(entry)) yield entry
    },
    get size() {
      return entries.size
    },
  }
}
