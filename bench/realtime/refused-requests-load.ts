import { bodyBytesDefault } from '../../functions/http/body-sizes.ts'
import { hostileBodies } from '../http/holds/hostile-bodies.ts'
import type { DisturbancePlan } from './by-turns.ts'

/** Requests at once, each second. */
const atOnce = 20
const json = { 'content-type': 'application/json' }
const plan: DisturbancePlan = JSON.parse(process.argv[2] ?? '{}')
const url = `http://127.0.0.1:${plan.port}`
const report = { sent: 0, refused: 0 }
let timer: NodeJS.Timeout | undefined

/**
 * Bodies without a token, each of the maximum size of a sign-in. Bodies of an administrator, each of the maximum size of most
 * routes; bodies of others would not be read.
 */
const requests = [
  ...hostileBodies(8192, []).map(([, body]) => ({ path: '/auth/login', headers: json, body })),
  ...hostileBodies(bodyBytesDefault, ['groups']).map(([, body]) => ({
    path: '/api/admin/users',
    headers: { ...json, authorization: `Bearer ${plan.admin}` },
    body,
  })),
]

const send = async (): Promise<void> => {
  const request = requests[report.sent % requests.length]
  if (request === undefined) return
  report.sent += 1
  const { path, headers, body } = request
  const response = await fetch(url + path, { method: 'POST', headers, body }).catch(() => undefined)
  await response?.arrayBuffer()
  if (response === undefined || response.status >= 400) report.refused += 1
}

process.on('message', (message) => {
  if (message === 'disturb') timer = setInterval(() => Array.from({ length: atOnce }, send), 1000)
  if (message === 'rest') {
    clearInterval(timer)
    process.send?.({ rested: { ...report } })
  }
})
process.on('disconnect', () => process.exit(0))
process.send?.({ ready: true })
