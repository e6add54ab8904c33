import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { systemClock } from '../../shared/kernel/clock.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import { type SentTraces, sendTraces } from '../../shared/platform/tracing/send-traces.ts'
import { type OtlpReceiver, startOtlpReceiver } from '../support/metrics/otlp-receiver.ts'
import { doors } from './doors.ts'

const traceId = '0af7651916cd43dd8448eb211c80319c'
const traceparent = `00-${traceId}-b7ad6b7169203331-01`

describe.each(doors)('requests through %s', (_name, door) => {
  let receiver: OtlpReceiver
  let traces: SentTraces
  beforeAll(async () => {
    receiver = await startOtlpReceiver()
    process.env.OTEL_EXPORTER_OTLP_ENDPOINT = receiver.endpoint
    traces = sendTraces({ serviceName: 'test', clock: systemClock, changed: () => {} })
    delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT
  })
  afterAll(async () => {
    await traces.close()
    await receiver.close()
  })
  const flush = async () => {
    await traces.flush()
    return receiver.spans.splice(0)
  }

  it('are spans named by method and route, in the trace of their client, without personal data', async () => {
    const { get } = await door({ as: 'admin' })
    const answer = await get('/api/admin/users/player@example.com?q=secret', { traceparent })
    const [span, ...others] = await flush()
    expect(others).toEqual([])
    expect(span).toMatchObject({ traceId, name: 'GET /api/admin/users/:email', kind: 2 })
    expect(span?.facts).toEqual({
      'gatehouse.request_id': answer.headers['x-request-id'],
      'http.request.method': 'GET',
      'http.route': '/api/admin/users/:email',
      'http.response.status_code': answer.status,
    })
    expect(receiver.texts.join()).not.toMatch(/example\.com|secret|Bearer/)
  })

  it('are errors if the fault is ours or of a service, under names that clients cannot create', async () => {
    const provider = {
      name: 'local',
      countAttempt: async () => {},
      login: async () => Promise.reject(new AppError('unavailable', 'service-unavailable', 'Gone.')),
    }
    const { post, request } = await door({ deps: { signIn: provider as never } })
    await post('/auth/login', { email: 'player@example.com', password: 'x' })
    await request('GET', '/made/up/by/somebody')
    const [failed, unknown] = await flush()
    expect(failed).toMatchObject({ name: 'POST /auth/login', status: { code: 2 }, facts: { 'error.type': '503' } })
    expect(unknown).toMatchObject({ name: 'GET unmatched', facts: { 'http.response.status_code': 404 } })
    expect(unknown?.status?.code ?? 0).toBe(0)
  })

  it('are counted by the problem in their answer', async () => {
    const { get, request, refused } = await door({ as: 'player' })
    await get('/api/admin/users')
    await request('GET', '/made/up')
    expect(refused).toEqual(['missing-permission', 'not-found'])
  })
})
