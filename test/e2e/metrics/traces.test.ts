import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals'
import { type OtlpReceiver, startOtlpReceiver } from '../../support/metrics/otlp-receiver.ts'
import { findFreePort } from '../../support/processes/free-port.ts'
import { describeOwnRedis, type RedisServer, startRedis } from '../../support/redis/redis.ts'
import { ask } from '../support/api.ts'
import { createStage } from '../support/stage.ts'

const traceId = '0af7651916cd43dd8448eb211c80319c'
const traceparent = `00-${traceId}-b7ad6b7169203331-01`

describeOwnRedis('processes that are traced', () => {
  const stage = createStage()
  let redis: RedisServer
  let receiver: OtlpReceiver
  beforeAll(async () => {
    redis = await startRedis()
  })
  beforeEach(async () => {
    receiver = await startOtlpReceiver()
  })
  afterAll(async () => {
    await stage.close()
    await redis?.stop()
  })
  const start = async (endpoint: string, more: Record<string, string> = {}) =>
    stage.startPair(await stage.createDataDir(), redis.url, {
      ...more,
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      OTEL_TRACES_SAMPLER: 'parentbased_always_on',
    })

  it('send related spans, log their ids, contain no personal data, and flush on exit', async () => {
    const { http, realtime } = await start(receiver.endpoint)
    const answer = await ask(http.url, 'POST /auth/login', {
      body: { email: 'player@example.com', password: 'never told' },
      headers: { traceparent },
    })
    const { session } = await stage.enter(http.url, String(answer.body.token))
    await session.command('/who nobody-by-that-name')
    for (const { signal } of [http, realtime]) signal('SIGTERM')
    expect(await Promise.all([http.ended, realtime.ended])).toEqual([0, 0])

    const request = receiver.spans.find(({ name }) => name === 'POST /auth/login')
    expect(request).toMatchObject({ traceId, parentSpanId: 'b7ad6b7169203331', resource: { 'service.name': 'gatehouse-http' } })
    const calls = receiver.spans.filter(({ parentSpanId }) => parentSpanId === request?.spanId)
    expect(calls.length).toBeGreaterThan(0)
    expect(calls.every((span) => span.traceId === traceId && span.facts['db.system.name'] === 'redis')).toBe(true)
    const line =
      http
        .stdout()
        .split('\n')
        .find((text) => text.includes('"path":"/auth/login"')) ?? '{}'
    expect(JSON.parse(line)).toMatchObject({ msg: 'request', trace_id: traceId, span_id: request?.spanId, trace_flags: '01' })

    const connect = receiver.spans.find(({ name }) => name === 'connect')
    expect(connect).toMatchObject({ resource: { 'service.name': 'gatehouse-realtime' }, facts: { 'gatehouse.outcome': 'ok' } })
    expect(receiver.spans).toContainEqual(expect.objectContaining({ name: 'command who' }))
    expect(receiver.texts.join()).not.toMatch(/player@|never told|nobody-by-that-name/)
    expect(receiver.texts.join()).not.toContain(String(answer.body.token))
    await receiver.close()
  })

  it('work normally without a trace collector, log that once, and stop', async () => {
    await receiver.close()
    const impatient = { OTEL_BSP_SCHEDULE_DELAY: '100', OTEL_EXPORTER_OTLP_TIMEOUT: '300' }
    const { http, realtime } = await start(`http://127.0.0.1:${await findFreePort()}`, impatient)
    const token = await stage.signIn(http.url, 'player@example.com')
    await stage.enter(http.url, token)
    await http.shows('traces cannot be sent')
    await stage.signIn(http.url, 'player@example.com')
    for (const { signal } of [http, realtime]) signal('SIGTERM')
    expect(await Promise.all([http.ended, realtime.ended])).toEqual([0, 0])
    expect(http.stdout().match(/traces cannot be sent/g)).toHaveLength(1)
  })
})
