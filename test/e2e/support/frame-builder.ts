import { type Chunk, createChunk, getBlock, type SectionBits, setBlock } from '../../../shared/worlds/chunks/chunk.ts'
import { chunkCoordinate, chunkKey } from '../../../shared/worlds/space/positions.ts'
import type { RealtimeClient } from '../../support/realtime/realtime-client.ts'
import { waitFor } from '../../support/time/wait-for.ts'

export type Placed = { readonly x: number; readonly y: number; readonly z: number; readonly type: string }
export type EditAnswer = { readonly ok: boolean; readonly reason: string }

type Player = RealtimeClient & { readonly welcome: Record<string, unknown> }
type SectionJson = { y?: number; palette?: number[]; bits?: number; data?: string }
type ChunkJson = { cx?: number; cz?: number; sections?: SectionJson[] }
type ChangedJson = { edits: { x?: number; y?: number; z?: number; type: string }[] }
type PlaceJson = { position: { x?: number; y?: number; z?: number } }

const readChunk = ({ cx = 0, cz = 0, sections = [] }: ChunkJson): Chunk => {
  const chunk = createChunk(cx, cz)
  for (const { y = 0, palette = [], bits = 0, data = '' } of sections)
    chunk.sections[y] = { palette, bits: bits as SectionBits, data: Buffer.from(data, 'base64') }
  return chunk
}

/** A player who builds in the air above, and knows of the world what it was sent. */
export const createBuilder = (client: Player) => {
  const types = client.welcome.blocks as { index?: number; id: string }[]
  const { position } = client.welcome as PlaceJson
  const [x = 0, y = 0, z = 0] = [position.x, position.y, position.z].map((at = 0) => Math.floor(at))
  let seq = 0

  const columns = (): Map<number, Chunk> => {
    const known = new Map<number, Chunk>()
    const indexes = new Map(types.map(({ id, index = 0 }) => [id, index]))
    for (const { case: kind, value } of client.received)
      if (kind === 'chunk') {
        const chunk = readChunk(value as ChunkJson)
        known.set(chunkKey(chunk.cx, chunk.cz), chunk)
      } else if (kind === 'blocksChanged')
        for (const { type, x = 0, y = 0, z = 0 } of (value as ChangedJson).edits) {
          const chunk = known.get(chunkKey(chunkCoordinate(x), chunkCoordinate(z)))
          if (chunk !== undefined) setBlock(chunk, { x, y, z }, indexes.get(type) ?? -1)
        }
    return known
  }

  return {
    client,
    /** Places within reach, across four columns where the player stands at a corner, above everybody's head. */
    places: Array.from({ length: 75 }, (_, i) => ({
      x: x - 2 + (i % 5),
      y: y + 3 + Math.floor(i / 25),
      z: z - 2 + (Math.floor(i / 5) % 5),
    })),
    /** Asks for the edit; resolves with the answer, or undefined when the connection is gone before it. */
    edit: async (edits: readonly Placed[]): Promise<EditAnswer | undefined> => {
      seq += 1
      const own = seq
      const find = () => client.received.findLast(({ case: kind, value }) => kind === 'editResult' && value.seq === own)
      client.send({ $case: 'editBlocks', value: { seq: own, edits: [...edits] } })
      await waitFor(() => find() !== undefined || !client.isOpen())
      const answer = find()?.value
      return answer === undefined ? undefined : { ok: answer.ok === true, reason: String(answer.reason ?? '') }
    },
    /** The ids at these places, once all their columns have come. */
    look: async (places: readonly { x: number; y: number; z: number }[]): Promise<(string | undefined)[]> => {
      const keys = places.map(({ x, z }) => chunkKey(chunkCoordinate(x), chunkCoordinate(z)))
      let known = columns()
      await waitFor(() => {
        known = columns()
        return keys.every((key) => known.has(key))
      })
      return places.map((place, i) => {
        const chunk = known.get(keys[i] ?? 0)
        const index = chunk === undefined ? -1 : getBlock(chunk, place.x, place.y, place.z)
        return types.find((type) => (type.index ?? 0) === index)?.id
      })
    },
  }
}

export type Builder = ReturnType<typeof createBuilder>
