import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { WebSocket } from 'ws'
import { connect } from '../../../sdk/connection/connect.ts'
import { signIn } from '../../../sdk/sign-in/sign-in.ts'
import { commandNeed } from '../../support/needs/command.ts'
import { describeWhere } from '../../support/needs/guard.ts'
import { createTempDir } from '../../support/processes/temp-dir.ts'
import { holdToken } from '../../support/sdk/hold-token.ts'

let folder: Awaited<ReturnType<typeof createTempDir>>
let server: Server
let asked = 0

/** A self-signed certificate. */
const createCertificate = async (path: string) => {
  const [key, cert] = [join(path, 'key.pem'), join(path, 'cert.pem')]
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '2']
  const flags = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', key, '-out', cert]
  execFileSync('openssl', ['req', ...flags, ...subject], { stdio: 'ignore' })
  return { key: await readFile(key), cert: await readFile(cert) }
}

const url = () => `https://127.0.0.1:${(server.address() as AddressInfo).port}`
const named = {
  name: 'UnreachableError',
  failure: 'tls',
  message: expect.stringMatching(/its certificate is valid for this name and trusted here/),
}

describeWhere(commandNeed('openssl', 'version'))('a server whose certificate nobody trusts', () => {
  beforeAll(async () => {
    folder = await createTempDir()
    server = createServer(await createCertificate(folder.path), (_, response) => {
      asked += 1
      response.end('{}')
    })
    server.on('upgrade', (_, socket) => socket.destroy())
    await once(server.listen(0, '127.0.0.1'), 'listening')
  })
  afterAll(async () => {
    server.closeAllConnections()
    server.close()
    await folder.remove()
  })

  it('receives no password, and the error names the certificate', async () => {
    await expect(signIn({ url: url(), email: 'ann@example.com', password: 'secret' })).rejects.toMatchObject(named)
    expect(asked).toBe(0)
  })

  it('receives no token, and the error names the certificate', async () => {
    await expect(connect(holdToken(url(), 'secret'), { WebSocket })).rejects.toMatchObject(named)
  })
})
