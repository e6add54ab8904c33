import { gunzipSync } from 'node:zlib'
import { type Static, Type } from '@sinclair/typebox'
import { createParser } from '../../../shared/kernel/schema.ts'
import { check, feature, type Kit } from '../check.ts'
import { type Answer, headerOf, jsonOf } from '../client/http-client.ts'
import {
  expectEqual,
  expectFaultAt,
  expectHeader,
  expectMediaType,
  expectNoBody,
  expectStatus,
  expectThat,
  show,
} from '../report/expectations.ts'
import { Mismatch } from '../report/mismatch.ts'

const limit = 300_000
/** Few enough layers for an answer below a megabyte. If there are blocks, some are here. */
const bounds = { yMin: 0, yMax: 15 }

const Block = Type.Object({ x: Type.Integer(), y: Type.Integer(), z: Type.Integer(), type: Type.String() })
type Block = Static<typeof Block>
const parseBlock = createParser(Block)

const readBlocks = (text: string): readonly Block[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const parsed = parseBlock(jsonOf({ text: line }))
      if (!parsed.ok) throw new Mismatch('one block per line', line)
      return parsed.value
    })

const chunk = (at: number): number => Math.floor(at / 16)
const orderOf = ({ x, y, z }: Block): readonly number[] => [y, chunk(x), chunk(z), x, z]

const compare = (one: Block, other: Block): number => {
  const theirs = orderOf(other)
  return (
    orderOf(one)
      .map((value, i) => value - (theirs[i] ?? 0))
      .find((difference) => difference !== 0) ?? 0
  )
}

/** The blocks of the test zone, extended down to the ground. It is disabled, so players notice nothing. */
const readZone = async (kit: Kit, query = '', headers: Record<string, string> = {}): Promise<Answer> => {
  const { id } = await kit.fixtures.zone()
  expectStatus(await kit.ask('administrator', `PUT /api/admin/instances/${id}/bounds`, { json: bounds }), 200)
  const answer = await kit.ask('administrator', `GET /api/admin/instances/${id}/blocks${query}`, { headers })
  expectStatus(answer, 200)
  expectMediaType(answer, 'application/x-ndjson')
  return answer
}

export const zoneBlocks = feature('Blocks of a zone', [
  check('write', 'are sent one per line, in order, inside the zone, without air', async (kit) => {
    const blocks = readBlocks((await readZone(kit)).text)
    const at = blocks.findIndex((block, i) => i > 0 && compare(blocks[i - 1] ?? block, block) >= 0)
    expectThat(at === -1, 'an order by y, column, x and z', () => `${show(blocks[at - 1])} before ${show(blocks[at])}`)
    const { cx, cz } = await kit.fixtures.freeColumn()
    const stray = blocks.find(
      ({ x, y, z, type }) => chunk(x) !== cx || chunk(z) !== cz || y < bounds.yMin || y > bounds.yMax || type === 'air',
    )
    expectThat(stray === undefined, 'blocks of the zone', () => show(stray))
  }),
  check('write', 'are counted before the first of them', async (kit) => {
    const answer = await readZone(kit)
    expectHeader(answer, 'X-Block-Limit', String(limit))
    expectEqual('X-Total-Blocks', headerOf(answer, 'X-Total-Blocks'), String(readBlocks(answer.text).length))
  }),
  check('write', 'are sent as gzip on request, with the same content', async (kit) => {
    const plain = await readZone(kit)
    const zipped = await readZone(kit, '', { 'Accept-Encoding': 'gzip' })
    expectHeader(zipped, 'Content-Encoding', 'gzip')
    expectHeader(zipped, 'Vary', /accept-encoding/i)
    expectThat(gunzipSync(zipped.bytes).equals(plain.bytes), 'the same blocks', () => 'others')
  }),
  check('write', 'of one column are its own, and none for a column outside the zone', async (kit) => {
    const { cx, cz } = await kit.fixtures.freeColumn()
    expectEqual('the blocks', (await readZone(kit, `?cx=${cx}&cz=${cz}`)).text, (await readZone(kit)).text)
    const other = await readZone(kit, `?cx=${cx + 1000}&cz=${cz}`)
    expectNoBody(other)
    expectHeader(other, 'X-Total-Blocks', '0')
  }),
  check('write', 'need both coordinates or none', async (kit) => {
    const { id } = await kit.fixtures.zone()
    for (const [query, pointer] of [
      ['cx=0', '/cz'],
      ['cz=0', '/cx'],
      ['cx=0&cz=1.5', '/cz'],
    ] as const) {
      const answer = await kit.ask('administrator', `GET /api/admin/instances/${id}/blocks?${query}`)
      if (query.includes('1.5')) expectFaultAt(answer, pointer)
      else expectStatus(answer, 400)
    }
  }),
])
