import { once } from 'node:events'
import { createServer, type ServerOptions } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, describe, expect, it } from '@jest/globals'
import { readUpload } from '../../../functions/http/request/read-upload.ts'
import { answerUnreadable, requireHost } from '../../../infra/http/answer-unreadable.ts'
import { createCapturedLog } from '../../support/time/silent-log.ts'

const id = '00000000-0000-4000-8000-000000000001'
const head = 'Host: x\r\n'

const open = async (options: ServerOptions = {}) => {
  const counted: string[] = []
  const { log, lines } = createCapturedLog()
  const deps = { ids: { uuid: () => id }, metrics: { countProblem: (slug: string) => void counted.push(slug) }, log }
  const server = createServer({ ...options, requireHostHeader: false })
  answerUnreadable(server, deps)
  server.on(
    'request',
    requireHost(async (req, res) => {
      if (req.url === '/begun' || req.url === '/long') res.write('begun')
      if (req.url === '/slow') return
      if (req.url?.startsWith('/body')) res.setHeader('X-Request-Id', 'known')
      try {
        let length = 0
        const pieces = req.url === '/upload' ? readUpload(req, 100) : req
        for await (const chunk of pieces) length += chunk.length
        if (req.url === '/long') await pause(500)
        res.end(`${req.url} ${length}`)
      } catch {
        // The answer is cut off.
      }
    }, deps),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  /** Returns everything until the server closes: status, headers and body of the one answer. */
  const send = async (...parts: readonly string[]) => sendSlowly(20, ...parts)
  const sendSlowly = async (pauseMs: number, ...parts: readonly string[]) => {
    const socket = connect(port, '127.0.0.1').setEncoding('utf8')
    let answer = ''
    socket.on('data', (part) => {
      answer += part
    })
    socket.on('error', () => undefined)
    const closed = once(socket, 'close')
    for (const part of parts) {
      socket.write(part)
      await pause(pauseMs)
    }
    await closed
    const [top = '', ...rest] = answer.split('\r\n\r\n')
    return { status: Number(top.split(' ')[1]), top, body: rest.join('\r\n\r\n') }
  }
  const close = async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  return { send, sendSlowly, close, counted, lines }
}

describe('a message that is not a valid request', () => {
  let opened: Awaited<ReturnType<typeof open>> | undefined
  afterEach(async () => {
    await opened?.close()
    opened = undefined
  })

  it.each([
    ['is not HTTP', 'hello\r\n\r\n', 400, 'bad-request'],
    ['has an invalid header', `GET / HTTP/1.1\r\n${head}a b: c\r\n\r\n`, 400, 'bad-request'],
    ['has two lengths', `POST / HTTP/1.1\r\n${head}Content-Length: 1\r\nContent-Length: 2\r\n\r\nx`, 400, 'bad-request'],
    ['has a truncated encoded body', `POST / HTTP/1.1\r\n${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, 400, 'bad-request'],
    ['has an oversized head', `GET / HTTP/1.1\r\n${head}a: ${'x'.repeat(17_000)}\r\n\r\n`, 431, 'head-too-large'],
    [
      'has extensions without end',
      `POST / HTTP/1.1\r\n${head}Transfer-Encoding: chunked\r\n\r\n1;${'x'.repeat(20_000)}\r\n`,
      413,
      'body-too-large',
    ],
    ['has no host', 'GET / HTTP/1.1\r\n\r\n', 400, 'bad-request'],
  ])('is answered with a problem with an id: it %s', async (_, text, status, slug) => {
    opened = await open()
    const answer = await opened.send(text)
    expect(answer.status).toBe(status)
    expect(answer.top).toContain(`\r\nX-Request-Id: ${id}`)
    expect(answer.top).toContain('\r\nContent-Type: application/problem+json')
    expect(answer.top).toContain('\r\nConnection: close')
    const problem = JSON.parse(answer.body.replace(/^[0-9a-f]+\r\n|\r\n0\r\n\r\n$/g, ''))
    expect(problem).toMatchObject({ type: `/problems/${slug}`, status, instance: '/', detail: expect.stringMatching(/\.$/) })
    expect(opened.counted).toEqual([slug])
    expect(opened.lines).toEqual([expect.objectContaining({ requestId: id, slug })])
  })

  it('is answered with 408 when it arrives too slowly', async () => {
    opened = await open({ headersTimeout: 50, requestTimeout: 50, connectionsCheckingInterval: 20 })
    const answer = await opened.send('GET / HTTP/1.1\r\nHost:')
    expect([answer.status, JSON.parse(answer.body).type]).toEqual([408, '/problems/request-timeout'])
  })

  it('does not include an upload that takes longer than other requests', async () => {
    // Longer than a busy machine needs for the head, and shorter than the upload.
    opened = await open({ headersTimeout: 2500, requestTimeout: 2500, connectionsCheckingInterval: 20 })
    const upload = `POST /upload HTTP/1.1\r\n${head}Content-Length: 25\r\nConnection: close\r\n\r\n`
    const answer = await opened.sendSlowly(120, upload, ...'x'.repeat(25))
    expect([answer.status, answer.body.replace(/^[0-9a-f]+\r\n|\r\n0\r\n\r\n$/g, '')]).toEqual([200, '/upload 25'])
  })

  it('is answered once, whatever follows it', async () => {
    opened = await open()
    const { top, body } = await opened.send(`hello\r\n\r\n${'again\r\n\r\n'.repeat(10_000)}`)
    expect([`${top}${body}`.split('HTTP/1.1').length, opened.counted.length]).toEqual([2, 1])
  })

  it('ends an answer that has begun, and adds nothing to it', async () => {
    opened = await open()
    const { top, body } = await opened.send(`POST /begun HTTP/1.1\r\n${head}Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\nzz\r\n`)
    expect(`${top}${body}`).not.toContain('problem')
    expect(opened.counted).toEqual([])
  })

  it('adds nothing to an answer that has begun when another request precedes its end', async () => {
    opened = await open()
    const begun = `POST /long HTTP/1.1\r\n${head}Content-Length: 5\r\n\r\n`
    const { top, body } = await opened.send(`${begun}x`, `xxxxGET /slow HTTP/1.1\r\n${head}\r\n`, 'hello\r\n\r\n')
    expect(`${top}${body}`).not.toContain('problem')
  })

  it('is answered with its id and path when its head is readable', async () => {
    opened = await open()
    const { status, top, body } = await opened.send(`POST /body?a=b HTTP/1.1\r\n${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n`)
    expect([status, JSON.parse(body).instance]).toEqual([400, '/body'])
    expect(top).toContain('\r\nX-Request-Id: known')
    expect(opened.counted).toEqual([])
  })

  it('does not include an HTTP/1.0 request without a Host header', async () => {
    opened = await open()
    expect((await opened.send('GET /old HTTP/1.0\r\n\r\n')).body).toBe('/old 0')
  })
})
