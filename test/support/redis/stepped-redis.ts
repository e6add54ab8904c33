import type { RedisConnection } from '../../../shared/platform/storage/redis/redis.ts'

/** An operation that stops before each time that it asks Redis, so that a test decides in what order two of them are served. */
type SteppedOperation<T> = {
  /** Serves the next ask and resolves at the one after it, or at the end; does nothing once ended. */
  step(): Promise<void>
  /** Serves all that is left. */
  finish(): Promise<PromiseSettledResult<T>>
}

/** Begins `operation`, given a connection of its own, and resolves when it first asks. */
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

/** Every order in which `ours` steps of one operation and `theirs` of another can be served: true is one of ours. */
export const listOrders = (ours: number, theirs: number): readonly (readonly boolean[])[] => {
  if (ours === 0 || theirs === 0) return [[...Array<boolean>(ours).fill(true), ...Array<boolean>(theirs).fill(false)]]
  return [
    ...listOrders(ours - 1, theirs).map((rest) => [true, ...rest]),
    ...listOrders(ours, theirs - 1).map((rest) => [false, ...rest]),
  ]
}
