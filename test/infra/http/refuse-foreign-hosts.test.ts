import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterEach, describe, expect, it } from '@jest/globals'
import { createHttpMetrics } from '../../../functions/http/metrics.ts'
import { routeUpgrades } from '../../../infra/http/pass-on-upgrades.ts'
import { refuseForeignHosts, refuseForeignUpgrades } from '../../../infra/http/refuse-foreign-hosts.ts'
import { systemIds } from '../../../shared/kernel/ids.ts'
import { createAcceptsHost } from '../../../shared/kernel/known-hosts.ts'
import { createCapturedLog } from '../../support/time/silent-log.ts'

const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\n'

describe('a server that refuses other host names', () => {
  let close: () => void = () => undefined
  afterEach(() => close())

  const open = async (listensOn: string, hosts: readonly string[] = []) => {
    const { log } = createCapturedLog()
    const acceptsHost = createAcceptsHost({ listensOn, urls: ['https://game.example.org'], hosts: () => hosts })
    const deps = { ids: systemIds, metrics: createHttpMetrics(), log, listensOn, acceptsHost }
    const server = createServer(refuseForeignHosts((_req, res) => res.end('taken'), deps))
    routeUpgrades(
      server,
      refuseForeignUpgrades((_req, socket) => void socket.end('HTTP/1.1 418 Taken\r\n\r\n'), deps),
    )
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    close = () => server.close()
    const { port } = server.address() as AddressInfo
    return async (path: string, host: string, headers = 'Connection: close\r\n'): Promise<string> => {
      const socket = connect(port, '127.0.0.1').setEncoding('utf8')
      let answer = ''
      socket.on('data', (text) => {
        answer += text
      })
      socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${headers}\r\n`)
      await once(socket, 'close')
      return answer
    }
  }

  it('answers 421 as a problem on loopback, health checks and upgrades included', async () => {
    const send = await open('127.0.0.1')
    for (const path of ['/api/docs', '/healthz']) {
      const answer = await send(path, 'rebound.example:3000')
      expect(answer).toMatch(/^HTTP\/1\.1 421 Misdirected Request\r\n/)
      expect(answer).toContain('"type":"/problems/misdirected-request"')
    }
    expect(await send('/realtime', 'rebound.example', upgrade)).toMatch(/^HTTP\/1\.1 421 .*\/problems\/misdirected-request/s)
  })

  it('answers requests for the names of loopback and of BASE_URL', async () => {
    const send = await open('127.0.0.1')
    for (const host of ['localhost:5173', '127.0.0.1', '[::1]', 'game.example.org'])
      expect(await send('/api/docs', host)).toMatch(/^HTTP\/1\.1 200 /)
    expect(await send('/realtime', 'localhost', upgrade)).toMatch(/^HTTP\/1\.1 418 /)
  })

  it('answers health checks under any name elsewhere, if hosts are listed', async () => {
    const send = await open('0.0.0.0', ['play.example.org'])
    expect(await send('/healthz', '10.0.0.7')).toMatch(/^HTTP\/1\.1 200 /)
    expect(await send('/api/docs', '10.0.0.7')).toMatch(/^HTTP\/1\.1 421 /)
    expect(await send('/api/docs', 'play.example.org')).toMatch(/^HTTP\/1\.1 200 /)
  })
})
