import type { RedisConnection } from '../../../shared/platform/storage/redis/redis.ts'

/** An operation that pauses before each call of Redis, so that a test controls the order of two of them. */
type SteppedOperation<T> = {
  /** Runs the next call and resolves at the one after it, or at the end; does nothing after the end. */
  step(): Promise<void>
  /** Runs all remaining calls. */
  finish(): Promise<PromiseSettledResult<T>>
}

/** Starts `operation` with its own connection, and resolves at its first call. */
export const startStepped = async <T>(
  redis: RedisConnection,
  operation: (stepped: RedisConnection) => Promise<T>,
): Promise<SteppedOperation<T>> => {
  let open = () => {}
  let reached = () => {}
  let ended = false
  const nextStop = () =>
    new Promise<void>((resolve) => {
      reached = resolve
    })

  const first = nextStop()
  const settled = Promise.allSettled([
    operation({
      ...redis,
      ask: async (commands) => {
        await new Promise<void>((resolve) => {
          open = resolve
          reached()
        })
        return await redis.ask(commands)
      },
    }),
  ]).then(([result]) => {
    ended = true
    reached()
    return result
  })
  await first

  const step = async () => {
    if (ended) return
    const stop = nextStop()
    open()
    await stop
  }
  return {
    step,
    finish: async () => {
      while (!ended) await step()
      return await settled
    },
  }
}

/** Every order of `ours` steps of one operation and `theirs` of another; true is a step of ours. */
export const listOrders = (ours: number, theirs: number): readonly (readonly boolean[])[] => {
  if (ours === 0 || theirs === 0) return [[...Array<boolean>(ours).fill(true), ...Array<boolean>(theirs).fill(false)]]
  return [
    ...listOrders(ours - 1, theirs).map((rest) => [true, ...rest]),
    ...listOrders(ours, theirs - 1).map((rest) => [false, ...rest]),
  ]
}
