import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { systemClock } from '../../../../shared/kernel/clock.ts'
import { letOthersWork } from '../../../../shared/kernel/turns.ts'
import { type SentTraces, sendTraces } from '../../../../shared/platform/tracing/send-traces.ts'
import { failSpan, type Span, serveInSpan, startCall, traceFields } from '../../../../shared/platform/tracing/spans.ts'
import { type OtlpReceiver, startOtlpReceiver } from '../../../support/metrics/otlp-receiver.ts'
import { findFreePort } from '../../../support/processes/free-port.ts'
import { waitFor } from '../../../support/time/wait-for.ts'

const traceId = '0af7651916cd43dd8448eb211c80319c'
const parentId = 'b7ad6b7169203331'
const traceparent = `00-${traceId}-${parentId}-01`

let receiver: OtlpReceiver
let changes: (string | undefined)[]
const opened: SentTraces[] = []

beforeEach(async () => {
  receiver = await startOtlpReceiver()
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = receiver.endpoint
  changes = []
})
afterEach(async () => {
  for (const traces of opened.splice(0)) await traces.close()
  for (const name of Object.keys(process.env)) if (name.startsWith('OTEL_')) delete process.env[name]
  await receiver.close()
})

const open = (): SentTraces => {
  const changed = (reason: string | undefined) => void changes.push(reason)
  const traces = sendTraces({ serviceName: 'gatehouse-test', clock: systemClock, changed })
  opened.push(traces)
  return traces
}
const end = (span: Span) => span.end()

describe('traces over OTLP', () => {
  it('continue the trace of traceparent, with their attributes', async () => {
    const traces = open()
    await serveInSpan('GET', { traceparent, tracestate: 'vendor=1' }, async (span) => {
      await Promise.resolve()
      const call = startCall('get', { 'db.system.name': 'redis', 'db.operation.name': 'get' })
      call?.end()
      call?.end()
      span.updateName('GET /things/:id')
      span.setAttributes({ 'http.response.status_code': 503 })
      failSpan(span, 'service-unavailable')
      span.end()
    })
    await traces.flush()
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
    const traces = open()
    serveInSpan('GET', { traceparent: header }, end)
    await traces.flush()
    expect(receiver.spans).toHaveLength(1)
    expect(receiver.spans[0]?.traceId).not.toBe(traceId)
    expect(receiver.spans[0]?.parentSpanId).toBeUndefined()
  })

  it('omit calls outside of a trace', async () => {
    open()
    expect(startCall('ping', {})).toBeUndefined()
    expect(traceFields()).toEqual({})
  })

  it('add their ids to log lines, with several traces at a time', async () => {
    open()
    const fieldsOf = (header: string) =>
      serveInSpan('GET', { traceparent: header }, async (span) => {
        await new Promise((resolve) => setImmediate(resolve))
        const fields = traceFields()
        span.end()
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
    const traces = open()
    serveInSpan('unasked', {}, end)
    serveInSpan('asked', { traceparent }, end)
    await traces.flush()
    expect(receiver.spans.map(({ name }) => name)).toEqual(['asked'])
    expect(receiver.spans[0]?.resource['service.name']).toBe('frankfurt')
  })

  it('do no harm when they cannot be sent, log it once, and log the recovery', async () => {
    process.env.OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${await findFreePort()}`
    process.env.OTEL_EXPORTER_OTLP_TIMEOUT = '200'
    const traces = open()
    for (let n = 0; n < 3; n++) {
      serveInSpan('GET', {}, end)
      await traces.flush()
    }
    await waitFor(() => changes.length > 0)
    await traces.close()
    expect(changes).toEqual([expect.any(String)])
  })

  it('delay one flush when the collector does not respond, and none after that', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const address = silent.address()
    process.env.OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
    process.env.OTEL_EXPORTER_OTLP_TIMEOUT = '2000'
    const traces = open()
    const isOverAtOnce = async (): Promise<boolean> => {
      let isOver = false
      serveInSpan('GET', {}, end)
      const flushed = traces.flush().then(() => {
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
    const traces = open()
    receiver.answer(400)
    serveInSpan('lost', {}, end)
    await traces.flush()
    receiver.answer(200)
    serveInSpan('sent', {}, end)
    await traces.flush()
    await receiver.waitForSpan(({ name }) => name === 'sent')
    await waitFor(() => changes.length === 2)
    expect(receiver.spans.map(({ name }) => name)).toEqual(['sent'])
    expect(changes).toEqual([expect.any(String), undefined])
  })

  it('record nothing before they are opened, and after they are closed', async () => {
    const isRecording = () => serveInSpan('GET', { traceparent }, (span) => span.isRecording())
    expect(isRecording()).toBe(false)
    const traces = open()
    expect(isRecording()).toBe(true)
    await traces.close()
    expect([isRecording(), startCall('ping', {}), traceFields()]).toEqual([false, undefined, {}])
  })

  it('are sent at the end', async () => {
    const traces = open()
    serveInSpan('last', {}, end)
    await traces.close()
    expect(receiver.spans.map(({ name }) => name)).toEqual(['last'])
  })
})
