import type { NodeDirectory } from '../../shared/domain/presence/node-directory.ts'
import type { WorldLease } from '../../shared/domain/worlds/leases/world-lease.ts'
import { repeat } from '../../shared/kernel/repeat.ts'

export type HeirWatchDeps = {
  readonly nodes: Pick<NodeDirectory, 'list'>
  readonly worldName: string
  readonly lease: Pick<WorldLease, 'fence' | 'isHeld' | 'isLost' | 'concede'>
}

const lookEveryMs = 1000

/**
 * For a node that is cut off from the store alone, whose lease is in doubt. It looks in the registry whether another node runs the world under a later lease, and gives it up then. Without either it goes on in doubt. Returns the function that ends it.
 */
export const watchForHeir = ({ nodes, worldName, lease }: HeirWatchDeps, everyMs = lookEveryMs): (() => void) =>
  repeat(async () => {
    if (lease.isHeld() || lease.isLost()) return
    if ((await nodes.list()).some(({ world, fence }) => world === worldName && fence > lease.fence)) lease.concede()
  }, everyMs)
