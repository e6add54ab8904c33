import type { LiveNode } from '../../shared/presence/presence.ts'

/** Nodes that run one of `worlds`, those to try first at the front: by the order of worlds, then those that take players, then by who took the world last. */
export const listTargets = (nodes: readonly LiveNode[], worlds: readonly string[]): readonly LiveNode[] =>
  worlds.flatMap((world) => {
    const own = nodes.filter((node) => node.world === world && node.state !== 'standby')
    const inState = (state: LiveNode['state']) =>
      own.filter((node) => node.state === state).toSorted((one, other) => other.fence - one.fence)
    return [...inState('ready'), ...inState('draining')]
  })
