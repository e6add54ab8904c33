import { expect, it } from '@jest/globals'
import { styles } from '../../../play/render/meshing/mesh-data.ts'
import { changeColumn, unpackColumn } from '../../../play/render/meshing/voxel-column.ts'

const look = { shape: 'cube', colour: 0x808080, side: 0x808080, style: styles.grain, glows: false } as const
const looks = Array.from({ length: 400 }, (_, index) => (index === 0 ? undefined : look))
const uniform = (index: number) => [{ y: 0, palette: [index], bits: 0, data: new Uint8Array() }]

it('uses one byte per block if each index fits', () => {
  expect(unpackColumn(0, 0, uniform(255), looks).sections[0]?.blocks).toBeInstanceOf(Uint8Array)
  expect(unpackColumn(0, 0, uniform(256), looks).sections[0]?.blocks).toBeInstanceOf(Uint16Array)
})

it('uses two bytes per block in a section with a larger index, and no other', () => {
  const column = unpackColumn(0, 0, uniform(7), looks)
  changeColumn(column, { x: 3, y: 2, z: 1, index: 300 }, looks)
  changeColumn(column, { x: 3, y: 40, z: 1, index: 301 }, looks)
  expect(column.sections[0]?.blocks[(2 << 8) | (1 << 4) | 3]).toBe(300)
  expect(column.sections[0]?.blocks[0]).toBe(7)
  expect(column.sections[2]?.blocks[(8 << 8) | (1 << 4) | 3]).toBe(301)
  expect(column.heights[(1 << 4) | 3]).toBe(40)
})
