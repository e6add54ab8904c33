import { AppError } from '../../kernel/errors.ts'

/** Places for work of unlimited duration, limited for each caller and in all. */
export type Places = {
  /** Takes a place. Call the result once to return it. Throws `limited` if the caller or the process has no place left. */
  take(caller: string): () => void
}

const retryAfterSeconds = 5

export const createPlaces = ({ perCaller, total }: { readonly perCaller: number; readonly total: number }): Places => {
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
