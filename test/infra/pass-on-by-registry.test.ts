import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { createUpgradeHandler } from '../../infra/http/pass-on-upgrades.ts'
import { createMemoryPresence } from '../../shared/domain/presence/presence-memory.ts'
import { systemClock } from '../../shared/kernel/clock.ts'
import { systemIds } from '../../shared/kernel/ids.ts'
import { createMemoryStore } from '../../shared/platform/storage/memory-store.ts'
import { noSanctions } from '../support/accounts/sanctions-in-memory.ts'
import { createFixedConfigs } from '../support/configs/fixed-configs.ts'
import { knock } from '../support/http/knock.ts'
import { type RoutedNode, startRoutedNode } from '../support/realtime/routed-node.ts'
import { silentLog } from '../support/time/silent-log.ts'

let server: Server
let arena: RoutedNode
beforeEach(async () => {
  const parts = { presence: createMemoryPresence({ clock: systemClock }), store: createMemoryStore() }
  arena = await startRoutedNode({ ...parts, nodeId: 'a', world: 'arena' })
  const environment = { realtimeUrl: undefined, worldNames: ['default', 'arena'] as const }
  const upgrade = await createUpgradeHandler(environment, {
    ...parts,
    configs: createFixedConfigs(),
    activeSanctions: noSanctions,
    clock: systemClock,
    ids: systemIds,
    log: silentLog,
  })
  server = createServer().on('upgrade', (request, socket, head) => void upgrade(request, socket, head))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterEach(async () => {
  await arena.close()
  server.close().closeAllConnections()
})

it('the HTTP half passes players without a world on to the first of its worlds that runs', async () => {
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/realtime`
  const { first, socket } = await knock(url)
  expect(first.servedBy).toBe('a')
  socket.terminate()
  expect((await knock(`${url}?world=default`)).status).toBe(503)
})
