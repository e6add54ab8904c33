import { setTimeout as pause } from 'node:timers/promises'
import { createDataDir, startGatehouse } from '../gatehouse-process.ts'

const serverConfig = `http: { rateLimits: { signInPerMinutePerAddress: 10000, requestsPerMinutePerAddress: 100000, requestsPerMinutePerToken: 1000000 } }
realtime: { messagesPerSecond: 1000, messageBurst: 2000 }
`

export type LiveServer = {
  readonly url: string
  /** The token of the administrator. */
  readonly token: string
  ask(method: string, path: string, body?: unknown): Promise<Response>
  stop(): Promise<void>
}

/** `npm start` with an administrator and stored columns around the middle of its world. */
export const startLiveServer = async (radius: number): Promise<LiveServer> => {
  const dataDir = await createDataDir({ 'server.yaml': serverConfig })
  const { url, claim, stop } = await startGatehouse('infra/local.ts', { DATA_DIR: dataDir.path })
  let token = ''
  const ask: LiveServer['ask'] = (method, path, body) =>
    fetch(url + path, {
      method,
      headers: { 'content-type': 'application/json', ...(token !== '' && { authorization: `Bearer ${token}` }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  const account = { claim, email: 'boss@example.com', password: 'the password of the boss' }
  const claimed = await ask('POST', '/auth/claim', account)
  token = String(Object(await claimed.json()).token)
  await ask('POST', '/api/admin/worlds/default/pregen', { radius })
  const countColumns = async (): Promise<number> => {
    const discovered = await ask('GET', '/api/admin/chunks/discovered')
    return discovered.ok ? Number(Object(await discovered.json()).length) : 0
  }
  while ((await countColumns()) < (2 * radius + 1) ** 2) await pause(200)
  return {
    url,
    token,
    ask,
    stop: async () => {
      await stop()
      await dataDir.remove()
    },
  }
}
