import type { Clock } from '../../kernel/clock.ts'
import type { LiveNode, Presence } from './presence.ts'

/** The live nodes. Costs one read of the registry in `freshMs`, for any number of callers. */
export type NodeDirectory = {
  /** The nodes in the registry, without those whose world another node took over. Throws AppError `unavailable`. */
  list(): Promise<readonly LiveNode[]>
  /** As `list`, but returns the last known nodes while the registry is away. Throws AppError `unavailable` if it never answered. */
  listKnown(): Promise<readonly LiveNode[]>
  /** Discards the result that is cached or being read. The next call reads again. */
  forget(): void
}

/** Too short to notice, and much longer than the time between two upgrades in a rush. */
const freshMs = 250

/** Removes nodes that were replaced. A killed node is listed for some seconds next to its successor, whose lease has a higher fence. */
const withoutSuperseded = (nodes: readonly LiveNode[]): readonly LiveNode[] => {
  const fences = new Map<string, number>()
  for (const { world, fence } of nodes) if (world !== undefined) fences.set(world, Math.max(fence, fences.get(world) ?? 0))
  return nodes.filter(({ world, state, fence }) => world === undefined || state === 'draining' || fences.get(world) === fence)
}

export const createNodeDirectory = ({
  presence,
  clock,
}: {
  readonly presence: Pick<Presence, 'listNodes'>
  readonly clock: Pick<Clock, 'monotonic'>
}): NodeDirectory => {
  let cached: readonly LiveNode[] | undefined
  let readAtMs = Number.NEGATIVE_INFINITY
  let underWay: Promise<readonly LiveNode[]> | undefined
  let timesForgotten = 0

  const read = async (): Promise<readonly LiveNode[]> => {
    const askedAtMs = clock.monotonic()
    const forgottenBefore = timesForgotten
    const nodes = withoutSuperseded(await presence.listNodes())
    if (timesForgotten === forgottenBefore) {
      cached = nodes
      readAtMs = askedAtMs
    }
    return nodes
  }
  const list = (): Promise<readonly LiveNode[]> => {
    if (cached !== undefined && clock.monotonic() - readAtMs < freshMs) return Promise.resolve(cached)
    if (underWay !== undefined) return underWay
    const reading = read().finally(() => {
      if (underWay === reading) underWay = undefined
    })
    underWay = reading
    return reading
  }
  return {
    list,
    listKnown: () =>
      list().catch((error: unknown) => {
        if (cached === undefined) throw error
        return cached
      }),
    forget: () => {
      timesForgotten += 1
      readAtMs = Number.NEGATIVE_INFINITY
      underWay = undefined
    },
  }
}
