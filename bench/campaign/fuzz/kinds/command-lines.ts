import { ClientMessage } from '../../../../realtime/protocol/generated/gatehouse.ts'
import type { FuzzKind } from '../fuzz-kind.ts'
import { mutateText } from '../mutate.ts'
import { asUtf8, oddText } from '../odd-values.ts'

const names = [
  'help',
  'who',
  'say',
  'tp',
  'world',
  'zones',
  'kick',
  'why',
  'adduser',
  'rbac:setgroup',
  'rbac:removegroup',
  'rbac:listgroups',
  'config:reload',
  'save',
  'zone:enable',
  'zone:disable',
  'command:disable',
  'command:enable',
  'nobodys',
] as const
const wordsOfCommands = [
  'rbac',
  'who',
  'builder',
  'player,builder',
  '~',
  '~1',
  '-0.5',
  '1e9',
  'NaN',
  '"two words"',
  '"open',
  "'",
  '\\',
  'world.build',
  'Fuzzed',
  '@',
  ',',
] as const

/** Command lines of an administrator in the game. */
export const commandLines: FuzzKind = {
  name: 'command-lines',
  weight: 5,
  make: (random, { words }) => {
    const word = () => random.pick([random.pick(wordsOfCommands), random.pick(words), oddText(random).slice(0, 200)])
    const line = [`/${random.pick(names)}`, ...Array.from({ length: random.int(0, 5) }, word)].join(
      random.chance(0.9) ? ' ' : '\t',
    )
    return { '?line': random.chance(0.3) ? mutateText(random, line) : line }
  },
  send: async ({ '?line': line = '' }, { sockets, tokenOf }) => {
    if (/boss@/i.test(line)) return { seen: 'spared' }
    const value = { seq: 1, text: asUtf8(line) }
    const data = Buffer.from(ClientMessage.encode({ kind: { $case: 'command', value } }).finish())
    const purpose = { name: 'boss', path: '/realtime', token: tokenOf('boss') }
    try {
      return { seen: await sockets.exchange(purpose, data, true) }
    } catch (error) {
      return { seen: 'silent', fault: String(error) }
    }
  },
}
