import { RefusedError } from '../../errors.ts'
import type { BlockEdit } from '../../protocol/generated/gatehouse.ts'
import { compass, findObstacle, type Game, walk } from './walk.ts'

export type CommandContext = {
  readonly game: Game
  readonly show: (text: string) => void
  /** Aborts when the player leaves. */
  readonly signal: AbortSignal
  readonly quit: () => void
}

/** A command of this client, unless the server has one with that name. */
export type LocalCommand = {
  readonly name: string
  readonly usage: string
  readonly description: string
  readonly run: (context: CommandContext, args: readonly string[]) => Promise<void> | void
}

/**
 * Replaces control characters other than line feeds, and marks that change the direction of text: either could rewrite a
 * terminal.
 */
export const toPrintable = (text: string): string => text.replace(/[^\P{Cc}\n]|[\u2028-\u202e\u2066-\u2069]/gu, '\u{fffd}')
export const toPrintableLine = (text: string): string => toPrintable(text).replaceAll('\n', '\u{fffd}')

const nameOf = ({ id, name }: { readonly id: string; readonly name?: string | undefined }): string =>
  toPrintableLine(name ?? id.replaceAll('_', ' '))
const round = (value: number): number => Math.round(value * 10) / 10
const messageOf = (error: unknown): string => toPrintable(error instanceof Error ? error.message : String(error))

const directions = ['north', 'north-east', 'east', 'south-east', 'south', 'south-west', 'west', 'north-west'] as const
type Spot = { readonly x: number; readonly z: number }

/** Distance and direction: `12 blocks north-east`. */
const describeWay = (from: Spot, to: Spot): string => {
  const [dx, dz] = [to.x - from.x, to.z - from.z]
  const distance = Math.round(Math.hypot(dx, dz))
  const direction = directions[(Math.round(Math.atan2(dx, -dz) / (Math.PI / 4)) + 8) % 8]
  return distance === 0 ? 'here' : `${distance} ${distance === 1 ? 'block' : 'blocks'} ${direction}`
}

/** The players in view, nearest first. */
const listNearest = ({ session, world }: Game) => {
  const { x, z } = session.position()
  return world.players.list().toSorted((a, b) => Math.hypot(a.x - x, a.z - z) - Math.hypot(b.x - x, b.z - z))
}

/** One line about the players nearby. */
export const describeNearby = (game: Game): string => {
  const players = listNearest(game)
  if (players.length === 0) return 'No players nearby.'
  const own = game.session.position()
  const shown = players.slice(0, 10).map((player) => `${toPrintableLine(player.displayName)} (${describeWay(own, player)})`)
  return `Near: ${shown.join(', ')}${players.length > 10 ? `, and ${players.length - 10} more` : ''}.`
}

/** The blocks around the player from above, a letter for each kind of block. */
const drawMap = (game: Game, radius: number): string => {
  const own = game.session.position()
  const [x, y, z] = [Math.floor(own.x), Math.floor(own.y), Math.floor(own.z)]
  const marks = new Map([[`${x} ${z}`, '@']])
  for (const [index, player] of listNearest(game).slice(0, 9).entries()) {
    const key = `${Math.floor(player.x)} ${Math.floor(player.z)}`
    if (!marks.has(key)) marks.set(key, String(index + 1))
  }
  const letters = new Map<string, string>()
  const letterOf = (block: { readonly id: string; readonly name?: string | undefined }): string => {
    const name = nameOf(block)
    const free = [...block.id, ...block.id.toUpperCase(), ...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'].find(
      (letter) => /[a-z]/i.test(letter) && ![...letters.values()].includes(letter),
    )
    const letter = letters.get(name) ?? free ?? '#'
    letters.set(name, letter)
    return letter
  }
  const cellAt = (atX: number, atZ: number): string => {
    const top = game.world.blocks.findTop(atX, atZ)
    const block = top === undefined ? undefined : game.world.blocks.blockAt(atX, top, atZ)
    const mark = marks.get(`${atX} ${atZ}`)
    return mark ?? (block === undefined || top === undefined ? '?' : top < 0 ? '.' : letterOf(block))
  }
  const across = Array.from({ length: radius * 2 + 1 }, (_, index) => index - radius)
  const rows = across.map((dz) => across.map((dx) => cellAt(x + dx, z + dz)).join(' '))
  const legend = ['@ you', ...[...letters].map(([name, letter]) => `${letter} ${name}`), '. nothing', '? not received yet']
  return [`Map around ${x} ${y} ${z}, ${across.length} blocks square, north is up.`, ...rows, legend.join(', ')].join('\n')
}

/** A block coordinate: a whole number, or `~` and an offset from the player. */
const readCoordinate = (text: string, own: number): number => {
  const [, tilde, digits] = /^(~?)(-?\d+)?$/.exec(text) ?? []
  return tilde === undefined || text === '' ? Number.NaN : Number(digits ?? 0) + (tilde === '~' ? Math.floor(own) : 0)
}

/** Undefined if the three coordinates are not valid. */
const readBlock = ({ game }: CommandContext, args: readonly string[]) => {
  const own = game.session.position()
  const [x = 0, y = 0, z = 0] = [own.x, own.y, own.z].map((at, index) => readCoordinate(args[index] ?? '', at))
  return [x, y, z].every((value) => Math.abs(value) < 2 ** 31) ? { x, y, z } : undefined
}

/** Texts for the codes of EditResult. Other codes are shown as they are. */
const reasons = new Map([
  ['unknown-block', 'there is no such kind of block'],
  ['missing-permission', 'you are not allowed to build here'],
  ['zone-rules', 'this zone is protected'],
  ['out-of-reach', 'it is too far away, more than 7 blocks from your eyes'],
  ['occupied', 'you or another player are standing there'],
  ['storage-full', 'the server is full'],
])

const edit = async ({ game, show }: CommandContext, block: BlockEdit, done: string): Promise<void> => {
  try {
    const { ok, reason } = await game.session.edit([block])
    const [code = ''] = reason.split(': ')
    const zone = /in zone "(.*)"$/.exec(reason)?.[1]
    const why = zone === undefined ? (reasons.get(code) ?? toPrintableLine(reason)) : `${toPrintableLine(zone)} is protected`
    show(ok ? `* ${done} at ${block.x} ${block.y} ${block.z}.` : `! Not done: ${why}.`)
  } catch (error) {
    show(`! ${messageOf(error)}`)
  }
}

const usageOf = ({ usage }: LocalCommand): string => `! Usage: ${usage}`

const map: LocalCommand = {
  name: 'map',
  usage: '/map [radius]',
  description: 'shows the blocks around you from above',
  run: ({ game, show }, [radius = '12', ...extra]) =>
    show(/^([1-9]|[12]\d|3[0-2])$/.test(radius) && extra.length === 0 ? drawMap(game, Number(radius)) : usageOf(map)),
}

const walkCommand: LocalCommand = {
  name: 'walk',
  usage: '/walk <north|south|west|east> [blocks]',
  description: 'walks along the ground, over steps of one block',
  run: async ({ game, show, signal }, [way = '', written = '5', ...extra]) => {
    const towards = (Object.keys(compass) as (keyof typeof compass)[]).find((name) => name === way.toLowerCase())
    const blocks = Number(written)
    if (towards === undefined || !(blocks > 0 && blocks <= 1000) || extra.length > 0) return show(usageOf(walkCommand))
    const start = game.session.position()
    const refused = await walk(game, { towards, blocks, signal })
    const position = game.session.position()
    const at = `You are at ${[position.x, position.y, position.z].map(round).join(' ')}.`
    const walked = round(Math.hypot(position.x - start.x, position.z - start.z))
    const obstacle = findObstacle(game.world.blocks, position, compass[towards])
    const why = refused === 'blocked' ? (obstacle === undefined ? 'blocked' : `blocked by ${nameOf(obstacle)}`) : refused
    show(why === undefined ? `* ${at}` : `! Stopped after ${walked} of ${blocks} blocks: ${toPrintableLine(why)}. ${at}`)
  },
}

const place: LocalCommand = {
  name: 'place',
  usage: '/place <x> <y> <z> <type>',
  description: 'places a block within reach, such as /place ~1 ~ ~ stone',
  run: (context, args) => {
    const at = readBlock(context, args)
    const [, , , type, ...extra] = args
    if (at === undefined || type === undefined || extra.length > 0) return context.show(usageOf(place))
    const id = type.toLowerCase()
    const kind = context.game.world.blocks.placeable().find((one) => one.id === id) ?? { id }
    return edit(context, { ...at, type: id }, `Placed ${nameOf(kind)}`)
  },
}

const breakCommand: LocalCommand = {
  name: 'break',
  usage: '/break <x> <y> <z>',
  description: 'breaks a block within reach, such as /break ~ ~-1 ~',
  run: (context, args) => {
    const at = readBlock(context, args)
    if (at === undefined || args.length > 3) return context.show(usageOf(breakCommand))
    const kind = context.game.world.blocks.blockAt(at.x, at.y, at.z) ?? { id: 'block' }
    return edit(context, { ...at, type: 'air' }, `Broke ${nameOf(kind)}`)
  },
}

export const localCommands: readonly LocalCommand[] = [
  {
    name: 'near',
    usage: '/near',
    description: 'lists the players nearby, with their direction',
    run: ({ game, show }) => show(describeNearby(game)),
  },
  map,
  walkCommand,
  place,
  breakCommand,
  { name: 'quit', usage: '/quit', description: 'leaves the game', run: ({ quit }) => quit() },
]

export const describeLocalCommands = (commands = localCommands): string =>
  commands.map(({ usage, description }) => `  ${usage.padEnd(40)} ${description}`).join('\n')

const unlessRefused = (error: unknown): void => {
  if (!(error instanceof RefusedError)) throw error
}

/** Runs a line from the player: a command of the server or of this client, or chat. */
export const runLine = async (context: CommandContext, serverCommands: ReadonlySet<string>, line: string): Promise<void> => {
  const { game, show } = context
  const text = line.trim()
  const [first = '', ...args] = text.slice(1).split(/\s+/)
  const name = first.toLowerCase()
  const own = localCommands.filter((command) => !serverCommands.has(command.name))
  try {
    if (text === '') return
    // A refusal of a line is shown with the other refusals of the server.
    if (!text.startsWith('/')) {
      await game.session.chat(text).catch(unlessRefused)
      return
    }
    const command = own.find((one) => one.name === name)
    if (command !== undefined) return await command.run(context, args)
    const { ok, text: answer } = await game.session.command(text)
    show(`${ok ? '' : '! '}${toPrintable(answer)}`)
    if (name === 'help' && args.length === 0) show(`Commands of this client:\n${describeLocalCommands(own)}`)
  } catch (error) {
    show(`! ${messageOf(error)}`)
  }
}
