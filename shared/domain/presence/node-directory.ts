import type { Clock } from '../../kernel/clock.ts'
import type { LiveNode, Presence } from './presence.ts'

/** Nodes that live, at the cost of one read of the registry in `freshMs`, however many ask. */
export type NodeDirectory = {
  /** Nodes as the registry has them; a node whose world another one took over is without it. Throws AppError `unavailable`. */
  list(): Promise<readonly LiveNode[]>
  /** For those who need an address: as they were known last while the registry is away. Throws AppError `unavailable` where it never answered. */
  listKnown(): Promise<readonly LiveNode[]>
  /** What is known, or being read, is wrong: the next one who asks has it read again. */
  forget(): void
}

/** Short enough that nobody notices, and far more than the time between two upgrades of a rush. */
const freshMs = 250

/** A node that was killed is listed for some seconds beside the one that took its world, whose lease has the higher fence. */
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
  let known: readonly LiveNode[] | undefined
  let readAtMs = Number.NEGATIVE_INFINITY
  let underWay: Promise<readonly LiveNode[]> | undefined
  let timesForgotten = 0

  const read = async (): Promise<readonly LiveNode[]> => {
    const askedAtMs = clock.monotonic()
    const forgottenBefore = timesForgotten
    const nodes = withoutSuperseded(await presence.listNodes())
    if (timesForgotten === forgottenBefore) {
      known = nodes
      readAtMs = askedAtMs
    }
    return nodes
  }
  const list = (): Promise<readonly LiveNode[]> => {
    if (known !== undefined && clock.monotonic() - readAtMs < freshMs) return Promise.resolve(known)
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
        if (known === undefined) throw error
        return known
      }),
    forget: () => {
      timesForgotten += 1
      readAtMs = Number.NEGATIVE_INFINITY
      underWay = undefined
    },
  }
}
