import type { NodeFacts } from '../../../shared/domain/presence/presence.ts'

/** The facts of a node that is ready for players of that world. */
export const readyNode = (world: string | undefined, more: Partial<NodeFacts> = {}): NodeFacts => ({
  world,
  fence: world === undefined ? 0 : 1,
  state: 'ready',
  url: 'https://game.example.org',
  internalUrl: 'http://10.0.0.7:3001',
  maxSessions: 2000,
  startedAt: 1_700_000_000_000,
  version: '1.2.3',
  ...more,
})
