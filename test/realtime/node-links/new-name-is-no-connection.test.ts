import { afterEach, beforeEach, expect, it } from '@jest/globals'
import type { Entry } from '../../../shared/domain/presence/whereabouts.ts'
import { type RealtimeNode, startRealtimeNode } from '../../support/realtime/realtime-node.ts'
import { waitFor } from '../../support/time/wait-for.ts'

let node: RealtimeNode
beforeEach(async () => {
  node = await startRealtimeNode({ tellsWorld: 'default' })
})
afterEach(() => node.close())

it('a changed account sends its new name to other nodes, and displaces no later connection', async () => {
  const told: Entry[] = []
  await node.events.subscribe('player-connected', (entry) => void told.push(entry))
  const ann = await node.join('ann')
  const { email, playerId } = ann.account
  await waitFor(() => told.length === 1)
  // Another node has the player since; the event has not arrived here yet.
  const [later] = await node.whereabouts.enter('there', [playerId])
  const renamed = { ...ann.account, displayName: 'Anna' }
  await node.accountStore.change(email, () => ({ next: renamed, result: renamed }))
  await node.watch.checkAccounts()
  await waitFor(async () => (await node.presence.listPlayers())[0]?.displayName === 'Anna')
  if (later !== undefined) await node.events.publish('player-connected', later)
  expect(await ann.client.closed()).toMatchObject({ code: 4001 })
  expect(told.map(({ nodeId }) => nodeId)).toEqual([node.nodeId, 'there'])
})
