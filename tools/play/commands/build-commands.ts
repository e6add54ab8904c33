import type { BlockEdit } from '../../../sdk/protocol/generated/gatehouse.ts'
import { nameOfBlock } from '../terminal/block-name.ts'
import { toPrintableLine } from '../terminal/printable.ts'
import type { LocalCommand, LocalContext } from './local-command.ts'

/** What the codes of EditResult mean (`gatehouse.proto`); others are shown as they are. */
const reasons: Readonly<Record<string, string>> = {
  invalid: 'there can be no block',
  'unknown-block': 'there is no such kind of block',
  'missing-permission': 'you are not allowed to build here',
  'zones-unknown': 'the server does not know yet where zones are, try again in a moment',
  'out-of-reach': 'it is too far away, more than 7 blocks from your eyes',
  'not-loaded': 'the server does not have that place in memory yet',
  occupied: 'you or another player stand there',
  busy: 'too much waits to be stored, try again in a moment',
  'storage-full': 'the server has no room left',
  unavailable: 'the server cannot store it at the moment',
  'lease-lost': 'another node runs this world now',
}

/** Who can change a zone, by what the server says of its rules. */
const builders: Readonly<Record<string, string>> = {
  builders: 'only its builders can change it',
  'members build': 'only its members can change it',
  'nobody builds': 'no one can change it',
}

const describeReason = (reason: string): string => {
  const [code = '', ...detail] = toPrintableLine(reason).split(': ')
  const [, who = '', zone] = /^(.*?) in zone "(.*)"$/.exec(detail.join(': ')) ?? []
  if (zone !== undefined)
    return `${zone} is protected, ${builders[code === 'zone-rules' ? who : 'builders'] ?? 'you cannot change it'}`
  if (code === 'missing-permission') return reasons[code] ?? code
  return [Object.hasOwn(reasons, code) ? reasons[code] : code, ...detail].join(': ')
}

const coordinatePattern = /^(~?)(-?\d+)?$/
const limit = 2 ** 31 - 1

/** A block coordinate: a whole number, or with `~` so many blocks from where the player is. */
const readCoordinate = (text: string, own: number): number | undefined => {
  const [, tilde, digits] = coordinatePattern.exec(text) ?? []
  if (tilde === undefined || (tilde === '' && digits === undefined)) return undefined
  const value = Number(digits ?? 0) + (tilde === '~' ? Math.floor(own) : 0)
  return Math.abs(value) <= limit ? value : undefined
}

const readPlace = ({ game }: LocalContext, args: readonly string[]) => {
  const own = game.session.position()
  const [x, y, z] = [
    readCoordinate(args[0] ?? '', own.x),
    readCoordinate(args[1] ?? '', own.y),
    readCoordinate(args[2] ?? '', own.z),
  ]
  return x === undefined || y === undefined || z === undefined ? undefined : { x, y, z }
}

const edit = async ({ game, show }: LocalContext, block: BlockEdit, done: string): Promise<void> => {
  try {
    const { ok, reason } = await game.session.edit([block])
    show(ok ? `* ${done} at ${block.x} ${block.y} ${block.z}.` : `! Not done: ${describeReason(reason)}.`)
  } catch (error) {
    show(`! ${toPrintableLine(error instanceof Error ? error.message : String(error))}`)
  }
}

const showUsage = ({ show }: LocalContext, { usage }: LocalCommand): void =>
  show(`! Usage: ${usage}; whole numbers, or ~ and so many blocks from you.`)

/** Puts a block; says so once the server has it for good, or why not. */
export const placeCommand: LocalCommand = {
  name: 'place',
  usage: '/place <x> <y> <z> <type>',
  description: 'puts a block within reach, such as /place ~1 ~ ~ stone',
  needsBlocks: true,
  run: (context, args) => {
    const place = readPlace(context, args)
    const [, , , type, ...extra] = args
    if (place === undefined || type === undefined || extra.length > 0) return showUsage(context, placeCommand)
    // Ids are in lower case.
    const id = type.toLowerCase()
    const kind = context.game.world.blocks.placeable().find((one) => one.id === id) ?? { id }
    return edit(context, { ...place, type: id }, `Placed ${nameOfBlock(kind)}`)
  },
}

/** Breaks a block; says so once the server has it for good, or why not. */
export const breakCommand: LocalCommand = {
  name: 'break',
  usage: '/break <x> <y> <z>',
  description: 'breaks a block within reach, such as /break ~ ~-1 ~ under your feet',
  needsBlocks: true,
  run: (context, args) => {
    const place = readPlace(context, args)
    if (place === undefined || args.length > 3) return showUsage(context, breakCommand)
    const kind = context.game.world.blocks.blockAt(place.x, place.y, place.z) ?? { id: 'block' }
    return edit(context, { ...place, type: 'air' }, `Broke ${nameOfBlock(kind)}`)
  },
}
