import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { routeUpgrades } from '../../../infra/http/pass-on-upgrades.ts'

const offersHttp2 = 'Host: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n'

const open = async () => {
  const upgrades: (string | undefined)[] = []
  const server = createServer(async (req, res) => {
    let body = ''
    for await (const chunk of req) body += chunk
    res.end(JSON.stringify([req.method, req.url, req.headers, body]))
  })
  routeUpgrades(server, ({ url }, socket) => {
    upgrades.push(url)
    socket.end('HTTP/1.1 418 Taken\r\n\r\n')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  /** Sends the parts one after another, and returns everything until the server closes. */
  const send = async (...parts: readonly string[]): Promise<string> => {
    const socket = connect(port, '127.0.0.1').setNoDelay().setEncoding('utf8')
    let answer = ''
    socket.on('data', (text) => {
      answer += text
    })
    const closed = once(socket, 'close')
    for (const part of parts) {
      socket.write(part)
      await pause(20)
    }
    await closed
    return answer
  }
  const close = async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  return { send, upgrades, close }
}

describe('a request to upgrade to another protocol', () => {
  let opened: Awaited<ReturnType<typeof open>>
  beforeEach(async () => {
    opened = await open()
  })
  afterEach(() => opened.close())

  it('is passed on if the protocol is WebSocket', async () => {
    const answer = await opened.send('GET /realtime HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: WebSocket\r\n\r\n')
    expect(answer).toContain('418')
    expect(opened.upgrades).toEqual(['/realtime'])
  })

  it('is answered as a plain request if the protocol is HTTP/2, and so are those after it', async () => {
    const first = `POST /one HTTP/1.1\r\n${offersHttp2}X-Other: no\r\nContent-Length: 4\r\n\r\n`
    const answer = await opened.send(
      `${first}ab`,
      'cd',
      `GET /two HTTP/1.1\r\n${offersHttp2}\r\n`,
      'GET /three HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    )
    expect(answer).toContain('["POST","/one",{"host":"x","x-other":"no","content-length":"4"},"abcd"]')
    expect(answer).toContain('["GET","/two",{"host":"x"},""]')
    expect(answer).toContain('["GET","/three",')
    expect(opened.upgrades).toEqual([])
  })
})
