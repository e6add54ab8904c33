import { AppError } from '../../kernel/errors.ts'

/** Limits how much work of unlimited duration runs at once, for each caller and in all. */
export type ConcurrencyLimit = {
  /** Takes a slot. Call the result once to return it. Throws `limited` if the caller or the process has no slot left. */
  take(caller: string): () => void
}

const retryAfterSeconds = 5

export const createConcurrencyLimit = ({
  perCaller,
  total,
}: {
  readonly perCaller: number
  readonly total: number
}): ConcurrencyLimit => {
  const counts = new Map<string, number>()
  let all = 0
  const refuse = (detail: string) => new AppError('limited', 'too-many-requests', detail, { retryAfterSeconds })
  return {
    take: (caller) => {
      const own = counts.get(caller) ?? 0
      if (own >= perCaller)
        throw refuse(`At most ${perCaller} of these can run at once for each sign-in. Finish or close one first.`)
      if (all >= total) throw refuse('Too many of these are running. Try again after the time in Retry-After.')
      counts.set(caller, own + 1)
      all += 1
      let isTaken = true
      return () => {
        if (!isTaken) return
        isTaken = false
        all -= 1
        const remaining = (counts.get(caller) ?? 1) - 1
        if (remaining === 0) counts.delete(caller)
        else counts.set(caller, remaining)
      }
    },
  }
}
