import type { NodeDirectory } from '../../shared/domain/presence/node-directory.ts'
import type { WorldLease } from '../../shared/domain/worlds/leases/world-lease.ts'
import { repeat } from '../../shared/kernel/repeat.ts'

export type LeaseWatchDeps = {
  readonly nodes: Pick<NodeDirectory, 'list'>
  readonly worldName: string
  readonly lease: Pick<WorldLease, 'fence' | 'isHeld' | 'isLost' | 'concede'>
}

const lookEveryMs = 1000

/**
 * For a node that cannot reach the store, so that its lease is in doubt. It checks the registry for another node with a later lease of
 * the world, and then gives up the lease. Otherwise the lease stays in doubt. Returns a function that stops it.
 */
export const watchForNewerLease = ({ nodes, worldName, lease }: LeaseWatchDeps, everyMs = lookEveryMs): (() => void) =>
  repeat(async () => {
    if (lease.isHeld() || lease.isLost()) return
    if ((await nodes.list()).some(({ world, fence }) => world === worldName && fence > lease.fence)) lease.concede()
  }, everyMs)
