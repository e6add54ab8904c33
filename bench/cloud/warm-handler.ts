import { once } from 'node:events'
import { IncomingMessage, type RequestListener, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { createApp } from '../../functions/app.ts'
import { authRoutes } from '../../functions/auth/routes.ts'
import { createLambda } from '../../functions/http/lambda/create-lambda.ts'
import { worldRoutes } from '../../functions/worlds/routes.ts'
import { createLambdaContext, createLambdaEvent } from '../../infra/lambda-offline/lambda-offline-event.ts'
import { createHttpFixture } from '../../test/support/http/http-fixture.ts'
import { type Bench, type BenchResult, median, round } from '../result.ts'

const rounds = 30
const callsPerRound = 300

type Headers = Readonly<Record<string, string>>

/** Calls the app like Node's own HTTP, without a network: with a request object and a response object. */
const askDirectly = async (app: RequestListener, path: string, headers: Headers): Promise<void> => {
  const req = new IncomingMessage(new Socket())
  Object.assign(req, { method: 'GET', url: path, headers: { host: 'api.example.org', ...headers } })
  req.push(null)
  const res = new ServerResponse(req)
  const sink = Object.assign(new PassThrough(), { setTimeout: () => undefined })
  Object.assign(res, { socket: null })
  res.assignSocket(Object.assign(new Socket(), { write: sink.write.bind(sink) }))
  sink.resume()
  const finished = once(res, 'finish')
  app(req, res)
  await finished
  if (res.statusCode !== 200) throw new Error(`${path} answered ${res.statusCode}`)
}

const timeOf = async (ask: () => Promise<void>): Promise<number> => {
  const startedMs = performance.now()
  for (let call = 0; call < callsPerRound; call += 1) await ask()
  return ((performance.now() - startedMs) * 1000) / callsPerRound
}

const measure = async (app: RequestListener, path: string, headers: Headers): Promise<BenchResult> => {
  const lambda = createLambda(async () => app)
  const viaEvent = async () => {
    const answer = await lambda(createLambdaEvent({ method: 'GET', target: path, headers }), createLambdaContext())
    if (answer.statusCode !== 200) throw new Error(`${path} answered ${answer.statusCode}`)
  }
  const directly = () => askDirectly(app, path, headers)
  const ours: number[] = []
  const theirs: number[] = []
  for (let turn = 0; turn < rounds + 5; turn += 1) {
    const us = await timeOf(viaEvent)
    const them = await timeOf(directly)
    // The first few compile what runs.
    if (turn >= 5) {
      ours.push(us)
      theirs.push(them)
    }
  }
  const ratio = median(ours.map((value, turn) => value / (theirs[turn] ?? 1)))
  return {
    bench: 'warm-handler',
    figure: `GET ${path} by a Lambda event`,
    value: round(median(ours), 0),
    unit: 'µs',
    reference: { name: 'the same route through express directly, without a network', value: round(median(theirs), 0) },
    ratio: round(ratio),
    target: 'ratio at most 1.5',
    met: ratio <= 1.5,
  }
}

/**
 * Benchmarks a warm handler called with an event against the same app called with Node's own objects, in turns; stores in memory.
 * It cannot show API Gateway, nor stores over a network.
 */
export const warmHandler: Bench = {
  name: 'warm-handler',
  run: async () => {
    const server = { http: { rateLimits: { requestsPerMinutePerToken: 1_000_000 } } }
    const fixture = await createHttpFixture({ server })
    try {
      await fixture.worlds.createWorld({ name: 'default' })
      const headers = { authorization: `Bearer ${await fixture.issueToken('admin')}` }
      return [
        await measure(createApp(authRoutes, fixture.deps), '/auth/me', headers),
        await measure(createApp(worldRoutes, fixture.deps), '/api/admin/worlds', headers),
      ]
    } finally {
      await fixture.close()
    }
  },
}
