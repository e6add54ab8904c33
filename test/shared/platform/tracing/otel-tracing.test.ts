import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { systemClock } from '../../../../shared/kernel/clock.ts'
import type { Span, Tracing } from '../../../../shared/kernel/tracing.ts'
import { letOthersWork } from '../../../../shared/kernel/turns.ts'
import { createOtelTracing } from '../../../../shared/platform/tracing/otel-tracing.ts'
import { type OtlpReceiver, startOtlpReceiver } from '../../../support/metrics/otlp-receiver.ts'
import { findFreePort } from '../../../support/processes/free-port.ts'
import { waitFor } from '../../../support/time/wait-for.ts'

const traceId = '0af7651916cd43dd8448eb211c80319c'
const parentId = 'b7ad6b7169203331'
const traceparent = `00-${traceId}-${parentId}-01`

let receiver: OtlpReceiver
let changes: (string | undefined)[]
const opened: Tracing[] = []

beforeEach(async () => {
  receiver = await startOtlpReceiver()
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = receiver.endpoint
  changes = []
})
afterEach(async () => {
  for (const tracing of opened.splice(0)) await tracing.close()
  for (const name of Object.keys(process.env)) if (name.startsWith('OTEL_')) delete process.env[name]
  await receiver.close()
})

const open = (): Tracing => {
  const changed = (reason: string | undefined) => void changes.push(reason)
  const tracing = createOtelTracing({ serviceName: 'gatehouse-test', clock: systemClock, changed })
  opened.push(tracing)
  return tracing
}
const end = (span: Span | undefined) => span?.end()

describe('traces over OTLP', () => {
  it('continue the trace of traceparent, with their attributes', async () => {
    const tracing = open()
    await tracing.serve('GET', { traceparent, tracestate: 'vendor=1' }, async (span) => {
      await Promise.resolve()
      const call = tracing.call('get', { 'db.system.name': 'redis', 'db.operation.name': 'get' })
      call?.end()
      call?.end()
      span?.rename('GET /things/:id')
      span?.add({ 'http.response.status_code': 503 })
      span?.fail('service-unavailable')
      span?.end()
    })
    await tracing.flush()
    expect(receiver.spans).toHaveLength(2)
    const [call, server] = receiver.spans
    expect(server).toMatchObject({ traceId, parentSpanId: parentId, name: 'GET /things/:id', kind: 2, status: { code: 2 } })
    expect(server?.facts).toEqual({ 'http.response.status_code': 503, 'error.type': 'service-unavailable' })
    expect(server?.resource).toMatchObject({ 'service.name': 'gatehouse-test', 'service.version': '0.2.0' })
    expect(call).toMatchObject({ traceId, parentSpanId: server?.spanId, name: 'get', kind: 3 })
    expect(call?.facts).toEqual({ 'db.system.name': 'redis', 'db.operation.name': 'get' })
  })

  it.each([
    undefined,
    'nonsense',
    `00-${'0'.repeat(32)}-${parentId}-01`,
    `ff-${traceId}-${parentId}-01`,
    `00-${traceId}-${parentId}`,
  ])('start a new trace with the traceparent %s', async (header) => {
    const tracing = open()
    tracing.serve('GET', { traceparent: header }, end)
    await tracing.flush()
    expect(receiver.spans).toHaveLength(1)
    expect(receiver.spans[0]?.traceId).not.toBe(traceId)
    expect(receiver.spans[0]?.parentSpanId).toBeUndefined()
  })

  it('omit calls outside of a trace', async () => {
    const tracing = open()
    expect(tracing.call('ping', {})).toBeUndefined()
    expect(tracing.logFields?.()).toEqual({})
  })

  it('add their ids to log lines, with several traces at a time', async () => {
    const tracing = open()
    const fieldsOf = (header: string) =>
      tracing.serve('GET', { traceparent: header }, async (span) => {
        await new Promise((resolve) => setImmediate(resolve))
        const fields = tracing.logFields?.()
        span?.end()
        return fields
      })
    const otherId = '1'.repeat(32)
    const both = await Promise.all([fieldsOf(traceparent), fieldsOf(`00-${otherId}-${parentId}-00`)])
    expect(both).toEqual([
      { trace_id: traceId, span_id: expect.stringMatching(/^[\da-f]{16}$/), trace_flags: '01' },
      { trace_id: otherId, span_id: expect.stringMatching(/^[\da-f]{16}$/), trace_flags: '00' },
    ])
  })

  it('use the name and the sampling of the SDK variables', async () => {
    process.env.OTEL_SERVICE_NAME = 'frankfurt'
    process.env.OTEL_TRACES_SAMPLER = 'parentbased_always_off'
    const tracing = open()
    tracing.serve('unasked', {}, end)
    tracing.serve('asked', { traceparent }, end)
    await tracing.flush()
    expect(receiver.spans.map(({ name }) => name)).toEqual(['asked'])
    expect(receiver.spans[0]?.resource['service.name']).toBe('frankfurt')
  })

  it('do no harm when they cannot be sent, log it once, and log the recovery', async () => {
    process.env.OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${await findFreePort()}`
    process.env.OTEL_EXPORTER_OTLP_TIMEOUT = '200'
    const tracing = open()
    for (let n = 0; n < 3; n++) {
      tracing.serve('GET', {}, end)
      await tracing.flush()
    }
    await waitFor(() => changes.length > 0)
    await tracing.close()
    expect(changes).toEqual([expect.any(String)])
  })

  it('delay one flush when the collector does not respond, and none after that', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const address = silent.address()
    process.env.OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
    process.env.OTEL_EXPORTER_OTLP_TIMEOUT = '2000'
    const tracing = open()
    const isOverAtOnce = async (): Promise<boolean> => {
      let isOver = false
      tracing.serve('GET', {}, end)
      const flushed = tracing.flush().then(() => {
        isOver = true
      })
      // A flush that waits for an answer takes longer than the next turn of the event loop.
      await letOthersWork()
      const answer = isOver
      await flushed
      return answer
    }
    expect([await isOverAtOnce(), await isOverAtOnce(), await isOverAtOnce()]).toEqual([false, true, true])
    silent.close()
    silent.closeAllConnections()
  })

  it('log when they are sent again', async () => {
    const tracing = open()
    receiver.answer(400)
    tracing.serve('lost', {}, end)
    await tracing.flush()
    receiver.answer(200)
    tracing.serve('sent', {}, end)
    await tracing.flush()
    await receiver.waitForSpan(({ name }) => name === 'sent')
    await waitFor(() => changes.length === 2)
    expect(receiver.spans.map(({ name }) => name)).toEqual(['sent'])
    expect(changes).toEqual([expect.any(String), undefined])
  })

  it('are sent at the end', async () => {
    const tracing = open()
    tracing.serve('last', {}, end)
    await tracing.close()
    expect(receiver.spans.map(({ name }) => name)).toEqual(['last'])
  })
})
