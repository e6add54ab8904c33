import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { PNG } from 'pngjs'
import { registryOf } from '../../../shared/domain/worlds/chunks/block-registry.ts'
import { encodeChunk } from '../../../shared/domain/worlds/chunks/compress-chunk.ts'
import { createDynamoChunkStore } from '../../../shared/domain/worlds/store/dynamodb/chunk-store-dynamodb.ts'
import { systemIds } from '../../../shared/kernel/ids.ts'
import { createChunk, setBlock } from '../../../shared/rules/chunks/chunk.ts'
import { type DynamoServer, describeDynamo, openDynamo, openDynamoForTests } from '../../support/dynamodb/dynamodb.ts'
import { bothDoors, type OpenDoor } from '../doors.ts'

const [, lambda] = bothDoors
const stone = [0x80, 0x80, 0x80, 255]
const grass = [0x40, 0xa0, 0x40, 255]
const block = (id: string, colour: string) => ({ id, name: id, colour, solid: true })

describeDynamo('map tiles from a Lambda with DynamoDB', () => {
  let server: DynamoServer
  let door: OpenDoor
  let closeDynamo: () => void
  beforeAll(async () => {
    server = await openDynamoForTests()
    const dynamo = await openDynamo(server.endpoint)
    closeDynamo = dynamo.close
    const chunks = createDynamoChunkStore({ dynamo, ids: systemIds })
    const configs = { blocks: { blocks: [block('stone', '#808080'), block('grass', '#40a040')] } }
    if (lambda === undefined) throw new Error('the Lambda transport is missing')
    door = await lambda[1]({ as: 'admin', configs, deps: { chunks } })
    await door.worlds.createWorld({ name: 'default' })
  }, 180_000)
  afterAll(async () => {
    closeDynamo?.()
    await server?.stop()
  })

  const put = async (cx: number, cz: number, ids: readonly string[]): Promise<void> => {
    const registry = registryOf(door.configs.get('blocks.yaml'))
    const chunk = createChunk(cx, cz)
    for (let x = 0; x < 16; x += 1)
      for (let z = 0; z < 16; z += 1) for (const [y, id] of ids.entries()) setBlock(chunk, { x, y, z }, registry.intern(id))
    const world = await door.worlds.getWorld('default')
    await door.chunks.putMany(world, [{ cx, cz, bytes: encodeChunk(chunk, registry) }], 1)
  }
  const get = (tile: string, headers = {}) => door.get(`/api/admin/worlds/default/map/${tile}`, headers)
  const pixel = async (tile: string, x: number, z: number): Promise<number[]> => {
    const { status, bytes } = await get(tile)
    expect([tile, status]).toEqual([tile, 200])
    return [...PNG.sync.read(Buffer.from(bytes)).data.subarray((z * 256 + x) * 4, (z * 256 + x) * 4 + 4)]
  }

  it('are drawn, halved and cut; 304 until their content changes, and 204 for empty ones', async () => {
    expect((await get('0/0/0.png')).status).toBe(204)
    door.clock.advance(300_000)
    await put(3, 2, ['grass', 'stone'])
    await put(-1, -1, ['grass'])
    expect(await pixel('0/0/0.png', 48, 32)).toEqual(stone)
    expect(await pixel('0/-1/-1.png', 255, 255)).toEqual(grass)
    expect(await pixel('0/0/0.png?y=0', 48, 32)).toEqual(grass)
    expect(await pixel('2/0/0.png', 12, 8)).toEqual(stone)
    const { headers } = await get('0/0/0.png')
    const again = () => get('0/0/0.png', { 'if-none-match': headers.etag })
    door.clock.advance(1000)
    expect((await again()).status).toBe(304)
    await put(3, 2, ['stone', 'grass'])
    door.clock.advance(1000)
    expect((await again()).status).toBe(200)
    expect(await pixel('0/0/0.png', 48, 32)).toEqual(grass)
  }, 180_000)
})
