import type { LiveNode } from '../../shared/domain/presence/presence.ts'

/** The nodes of `worlds`, best first. They are in the order of the worlds. Nodes that accept players come first, then the newest holder. */
export const listTargets = (nodes: readonly LiveNode[], worlds: readonly string[]): readonly LiveNode[] =>
  worlds.flatMap((world) => {
    const own = nodes.filter((node) => node.world === world && node.state !== 'standby')
    const inState = (state: LiveNode['state']) =>
      own.filter((node) => node.state === state).toSorted((one, other) => other.fence - one.fence)
    return [...inState('ready'), ...inState('draining')]
  })
