import type { BlockType, Chunk as ChunkMessage } from '../../../realtime/protocol/generated/gatehouse.ts'
import { type Chunk, createChunk, setBlock } from '../../../shared/rules/chunks/chunk.ts'

/** Kinds of blocks as a Welcome lists them. */
export const blockTypes: BlockType[] = [
  { index: 0, id: 'air', colour: 0x000000, solid: false },
  { index: 1, id: 'unknown', colour: 0xff00ff, solid: true, placeholder: true },
  { index: 2, id: 'stone', colour: 0x808080, solid: true },
  { index: 3, id: 'grass', colour: 0x40a040, solid: true },
  { index: 4, id: 'water', colour: 0x4060d0, solid: false, name: 'Salt water' },
]
export const [stone, grass, water] = [2, 3, 4] as const

/** The Chunk message of a column. */
export const chunkMessage = ({ cx, cz, sections }: Chunk): ChunkMessage => ({
  cx,
  cz,
  sections: sections.flatMap((section, y) =>
    section === undefined ? [] : [{ ...section, y, palette: [...section.palette], data: Buffer.from(section.data) }],
  ),
})

/** A column of grass on stone with its surface at `height(x, z)`, in coordinates of the column. */
export const groundMessage = (cx: number, cz: number, height: (x: number, z: number) => number): ChunkMessage => {
  const chunk = createChunk(cx, cz)
  for (let x = 0; x < 16; x += 1)
    for (let z = 0; z < 16; z += 1) {
      const top = height(x, z)
      for (let y = top - 2; y < top; y += 1) setBlock(chunk, { x, y, z }, stone)
      setBlock(chunk, { x, y: top, z }, grass)
    }
  return chunkMessage(chunk)
}
