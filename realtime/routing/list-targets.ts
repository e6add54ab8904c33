import type { LiveNode } from '../../shared/domain/presence/presence.ts'

/**
 * The nodes that run one of `worlds`, best first: by the order of worlds, then nodes that accept players, then the newest holder.
 */
export const listTargets = (nodes: readonly LiveNode[], worlds: readonly string[]): readonly LiveNode[] =>
  worlds.flatMap((world) => {
    const own = nodes.filter((node) => node.world === world && node.state !== 'standby')
    const inState = (state: LiveNode['state']) =>
      own.filter((node) => node.state === state).toSorted((one, other) => other.fence - one.fence)
    return [...inState('ready'), ...inState('draining')]
  })
