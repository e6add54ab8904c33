import { check, feature, type Kit } from '../check.ts'
import { expectProblem, expectThat, pointersOf, showAnswer } from '../report/expectations.ts'

const base = '/api/admin/instances'

/** A zone that the server refuses and does not create. */
const refuse = async (kit: Kit, parts: object, [status, slug, pointer]: readonly [number, string, string]): Promise<void> => {
  const { world, cx, cz } = await kit.fixtures.freeColumn()
  const json = { name: `${kit.name} refused`, world, yMin: 250, yMax: 251, chunks: [{ cx, cz }], ...parts }
  await kit.fixtures.zone()
  const answer = await kit.ask('administrator', `POST ${base}`, { json })
  expectProblem(answer, status, slug)
  expectThat(
    pointersOf(answer).some((at) => at.startsWith(pointer)),
    `errors at ${pointer}`,
    () => showAnswer(answer),
  )
}

export const zoneRules = feature('Rules of zones', [
  check('write', 'do not share a column at the same height, disabled ones included', async (kit) => {
    const zone = await kit.fixtures.zone()
    const { world, cx, cz } = await kit.fixtures.freeColumn()
    const json = { name: `${kit.name} overlapping`, world, yMin: 200, yMax: 254, chunks: [{ cx, cz }] }
    const answer = await kit.ask('administrator', `POST ${base}`, { json })
    expectProblem(answer, 409, 'zone-overlap')
    const named = answer.text.includes(kit.name) || answer.text.includes(zone.id)
    expectThat(named, 'the name of the other zone', () => showAnswer(answer))
  }),
  check('write', 'have a floor below their top, inside the world', async (kit) => {
    for (const [yMin, yMax] of [
      [20, 20],
      [255, 0],
    ])
      await refuse(kit, { yMin, yMax }, [422, 'rule-broken', '/yMin'])
    for (const [yMin, at] of [
      [-1, '/yMin'],
      [1.5, '/yMin'],
    ] as const)
      await refuse(kit, { yMin }, [400, 'bad-request', at])
    await refuse(kit, { yMax: 256 }, [400, 'bad-request', '/yMax'])
  }),
  check('write', 'have generated columns only, each once, 4,096 at most', async (kit) => {
    const { cx, cz } = await kit.fixtures.freeColumn()
    await refuse(
      kit,
      {
        chunks: [
          { cx, cz },
          { cx: 1_874_999, cz: -1_875_000 },
        ],
      },
      [422, 'chunks-not-generated', '/chunks/1'],
    )
    await refuse(
      kit,
      {
        chunks: [
          { cx, cz },
          { cx, cz },
        ],
      },
      [400, 'bad-request', '/chunks'],
    )
    await refuse(kit, { chunks: [] }, [400, 'bad-request', '/chunks'])
    await refuse(kit, { chunks: Array.from({ length: 4097 }, (_, i) => ({ cx: i, cz })) }, [400, 'bad-request', '/chunks'])
    await refuse(kit, { chunks: [{ cx: 1_875_000, cz }] }, [400, 'bad-request', '/chunks/0/cx'])
  }),
])
