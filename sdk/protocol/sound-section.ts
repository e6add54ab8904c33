import type { Section } from './generated/gatehouse.ts'

const sectionsPerColumn = 16
const entriesPerSection = 4096

/** Whether a section follows the protocol: known bits, matching data, a palette, and a place in the column. */
export const isSoundSection = ({ y, palette, bits, data }: Section): boolean =>
  [0, 1, 2, 4, 8, 16].includes(bits) &&
  y < sectionsPerColumn &&
  palette.length > 0 &&
  data.length === (entriesPerSection * bits) / 8
