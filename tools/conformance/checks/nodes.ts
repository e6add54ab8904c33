import { Type } from '@sinclair/typebox'
import { ClosedObject } from '../../../shared/kernel/closed-object.ts'
import { check, feature } from '../check.ts'
import { expectBody, expectHeader, expectProblem, expectStatus, expectThat, showAnswer } from '../report/expectations.ts'

const Nodes = Type.Object({
  items: Type.Array(
    ClosedObject({
      nodeId: Type.String({ minLength: 1 }),
      world: Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' }),
      url: Type.String({ pattern: '^https?://[^/]' }),
      sessions: Type.Integer({ minimum: 0 }),
      maxSessions: Type.Integer({ minimum: 0 }),
      state: Type.Union([Type.Literal('ready'), Type.Literal('draining')]),
    }),
  ),
})

const isInOrder = (names: readonly string[]): boolean => names.every((name, at) => at === 0 || (names[at - 1] ?? '') <= name)

export const nodes = feature('Real-time nodes', [
  check('nothing', 'list the nodes of worlds without a sign-in, sorted by world, and nothing else', async ({ ask }) => {
    const answer = await ask('nobody', 'GET /api/realtime/nodes')
    expectStatus(answer, 200)
    expectHeader(answer, 'Cache-Control', /no-store/)
    const { items } = expectBody(answer, Nodes)
    expectThat(isInOrder(items.map(({ world }) => world)), 'nodes by world', () => showAnswer(answer))
  }),
  check('nothing', 'GET /realtime without an upgrade answers 426, and 404 for a world that does not exist', async ({ ask }) => {
    const answer = await ask('nobody', 'GET /realtime')
    expectProblem(answer, 426, 'upgrade-required')
    expectHeader(answer, 'Upgrade', /websocket/i)
    expectProblem(await ask('nobody', 'GET /realtime?world=no-such-world'), 404, 'not-found')
  }),
])
