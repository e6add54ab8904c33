import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { afterEach, describe, expect, it } from '@jest/globals'
import { refuseUpgrade } from '../../../realtime/socket/refuse-upgrade.ts'
import { openHalfOpenClient } from '../../support/realtime/half-open-client.ts'
import { waitFor } from '../../support/time/wait-for.ts'

describe('a refused upgrade', () => {
  let server: Server
  afterEach(() => server.close().closeAllConnections())

  it('keeps no connection for longer than it takes to read the reason, whatever its client does', async () => {
    server = createServer()
    server.on('upgrade', (_request, socket) => refuseUpgrade(socket, { status: 404, headers: [], body: 'nothing there' }))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
    const silent = openHalfOpenClient(url, '/nowhere')
    const talking = openHalfOpenClient(url, '/nowhere')
    let answer = ''
    talking.on('data', (piece) => {
      answer += String(piece)
    })
    await once(talking, 'end')
    talking.write('and another thing')
    expect(answer).toMatch(/^HTTP\/1\.1 404 Not Found\r\n[\s\S]*nothing there$/)
    await waitFor(() => new Promise<boolean>((resolve) => server.getConnections((_error, count) => resolve(count === 0))))
    silent.destroy()
    talking.destroy()
  })
})
