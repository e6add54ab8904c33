import { EventEmitter, once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterEach, describe, expect, it } from '@jest/globals'
import express from 'express'
import { sendStream } from '../../../../functions/http/answer/send-stream.ts'
import { waitFor } from '../../../support/time/wait-for.ts'

type Outcome = { readonly sent: boolean } | { readonly failure: unknown }

describe('a streamed answer', () => {
  let server: ReturnType<typeof createServer> | undefined
  afterEach(async () => {
    server?.closeAllConnections()
    server?.close()
  })

  /** Serves the pieces at any address, and returns the outcome of the first answer. */
  const serve = async (pieces: AsyncIterable<string | Uint8Array>, idleMs = 30_000) => {
    const app = express()
    const outcome = new Promise<Outcome>((resolve) => {
      app.use((_req, res) => {
        sendStream(res, pieces, { begin: () => res.setHeader('Content-Type', 'text/plain'), idleMs }).then(
          (sent) => resolve({ sent }),
          (failure: unknown) => {
            resolve({ failure })
            res.destroy()
          },
        )
      })
    })
    server = createServer(app).listen(0, '127.0.0.1')
    await once(server, 'listening')
    return { outcome, port: (server.address() as AddressInfo).port }
  }
  const endless = async function* (): AsyncGenerator<Uint8Array> {
    for (;;) yield new Uint8Array(65_536)
  }

  it('sends its pieces in order, text and bytes', async () => {
    const { outcome, port } = await serve(
      (async function* () {
        yield 'zwölf '
        yield Buffer.from('Boxkämpfer')
      })(),
    )
    const response = await fetch(`http://127.0.0.1:${port}`, { headers: { connection: 'close' } })
    expect(await response.text()).toBe('zwölf Boxkämpfer')
    expect(response.headers.get('content-type')).toBe('text/plain')
    expect(await outcome).toEqual({ sent: true })
  })

  it('may be empty', async () => {
    const nothing: AsyncIterable<string> = {
      [Symbol.asyncIterator]: () => ({ next: async () => ({ done: true, value: undefined }) }),
    }
    const { outcome, port } = await serve(nothing)
    expect(await (await fetch(`http://127.0.0.1:${port}`, { headers: { connection: 'close' } })).text()).toBe('')
    expect(await outcome).toEqual({ sent: true })
  })

  it('ends when its client stops reading for too long, and releases its source', async () => {
    let released = false
    const source = async function* () {
      try {
        yield* endless()
      } finally {
        released = true
      }
    }
    const { outcome, port } = await serve(source(), 50)
    const socket = connect(port, '127.0.0.1').pause()
    socket.on('error', () => undefined)
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    expect(await outcome).toEqual({ sent: false })
    expect(released).toBe(true)
    socket.destroy()
  })

  it('requests no second piece when the client disconnects before the first', async () => {
    const gate = new EventEmitter()
    let requests = 0
    const source = async function* () {
      for (;;) {
        requests += 1
        await once(gate, 'open')
        yield 'piece'
      }
    }
    const { outcome, port } = await serve(source())
    const accepted = once(server ?? gate, 'connection')
    const socket = connect(port, '127.0.0.1')
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    const [peer] = await accepted
    await waitFor(() => requests === 1)
    const gone = once(peer, 'close')
    socket.destroy()
    await gone
    gate.emit('open')
    expect(await outcome).toEqual({ sent: false })
    expect(requests).toBe(1)
  })

  it('rejects with the error of its source, at the first piece or later', async () => {
    const failure = new Error('mine')
    const first = await serve(
      (async function* () {
        yield await Promise.reject(failure)
      })(),
    )
    await fetch(`http://127.0.0.1:${first.port}`).catch(() => undefined)
    expect(await first.outcome).toEqual({ failure })
    server?.close()
    const later = await serve(
      (async function* () {
        yield 'piece'
        throw failure
      })(),
    )
    await fetch(`http://127.0.0.1:${later.port}`).catch(() => undefined)
    expect(await later.outcome).toEqual({ failure })
  })
})
