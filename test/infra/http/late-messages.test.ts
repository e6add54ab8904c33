import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { createHttpMetrics } from '../../../functions/http/metrics.ts'
import { type HttpHalf, startHttpHalf } from '../../../infra/http/http-half.ts'
import { createRealtimeMetrics } from '../../../realtime/metrics/realtime-metrics.ts'
import { type RealtimeNode, startNode } from '../../../realtime/node/node.ts'
import { parseEnvironment } from '../../../shared/platform/process/environment.ts'
import { readTenure } from '../../../shared/platform/process/lease-holder.ts'
import { openServices } from '../../../shared/services/services.ts'
import type { Services } from '../../../shared/services/wire-services.ts'
import { createTempDir } from '../../support/processes/temp-dir.ts'
import { openRealtimeClient } from '../../support/realtime/realtime-client.ts'
import { silentLog } from '../../support/time/silent-log.ts'

const [perSecond, burst] = [100, 100]
const stallMs = 2000
const config = `realtime: { messagesPerSecond: ${perSecond}, messageBurst: ${burst} }\n`

/** Blocks this process until it returns, as a long turn of the event loop does. */
const stall = (): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, stallMs)

describe('a server that stalls for two seconds', () => {
  let folder: Awaited<ReturnType<typeof createTempDir>>
  let services: Services
  let node: RealtimeNode
  let http: HttpHalf
  beforeEach(async () => {
    folder = await createTempDir()
    await mkdir(join(folder.path, 'config'))
    await writeFile(join(folder.path, 'config', 'server.yaml'), config)
    const environment = parseEnvironment({ DATA_DIR: folder.path, PORT: '0' }, 'all')
    services = await openServices(environment, silentLog)
    const { baseUrl } = environment
    node = await startNode(services, {
      tenure: await readTenure(environment),
      baseUrl,
      serverVersion: '0.0.0',
      metrics: createRealtimeMetrics(),
    })
    http = await startHttpHalf(environment, services, { metrics: createHttpMetrics(), upgrade: node.handleUpgrade })
  })
  afterEach(async () => {
    await node.close()
    await http.close()
    await services.close()
    await folder.remove()
  })

  const enter = async () => {
    const answer = await fetch(`${http.baseUrl}/auth/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: 'player@example.com' }),
    })
    const { token } = (await answer.json()) as { token: string }
    const client = await openRealtimeClient(`${http.baseUrl.replace('http', 'ws')}/realtime`)
    client.connect(token)
    await client.next('welcome')
    return client
  }

  it('keeps a player whose messages from that time arrive at once', async () => {
    const client = await enter()
    for (let seq = 1; seq <= (perSecond * stallMs) / 1000; seq += 1) client.move(0.5, 0.5, seq)
    stall()
    client.send({ $case: 'chat', value: { text: 'still here' } })
    expect(await client.next('chatMessage')).toMatchObject({ text: 'still here' })
    expect(client.isOpen()).toBe(true)
  })

  it('closes with 4029 for a player who sent more than the rate allows in that time', async () => {
    const client = await enter()
    // Well above the limit: a busy machine adds to the time that the server credits.
    for (let seq = 1; seq <= (perSecond * stallMs) / 1000 + 5 * burst; seq += 1) client.move(0.5, 0.5, seq)
    stall()
    expect(await client.closed()).toMatchObject({ code: 4029 })
  })
})
