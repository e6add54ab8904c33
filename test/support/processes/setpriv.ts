import { spawnSync } from 'node:child_process'
import { itWhere } from '../needs/guard.ts'

const asPeople = ['--bounding-set=-dac_override,-dac_read_search,-fowner']

const isRoot = process.getuid?.() === 0
const isThere = spawnSync('setpriv', [...asPeople, 'true']).status === 0

/** Arguments before a command that make its process respect file modes, even if the tests run as root. */
export const heedingModes: readonly string[] = isRoot ? ['setpriv', ...asPeople] : []

/** `it` if a process can be made to respect file modes. */
export const itHeedingModes = itWhere({
  reason: 'needs setpriv, of util-linux, since root may write whatever the mode of a folder says',
  isMet: process.platform !== 'win32' && (!isRoot || isThere),
  isOptional: process.platform !== 'linux',
})
