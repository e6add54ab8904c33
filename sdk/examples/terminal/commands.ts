import { setTimeout as sleep } from 'node:timers/promises'
import type { Session } from '../../connection/connect.ts'
import { RefusedError } from '../../errors.ts'
import { findFooting } from '../../world/ground.ts'
import type { WatchedWorld } from '../../world/watch-world.ts'

/** A player in the game, and the known part of the world around. */
export type Game = { readonly session: Session; readonly world: Pick<WatchedWorld, 'blocks' | 'players'> }

export type CommandContext = {
  readonly game: Game
  readonly show: (text: string) => void
  /** Aborts when the player leaves. */
  readonly signal: AbortSignal
  readonly stop: () => void
}

/** A command of this client, unless the server has one with that name. */
export type LocalCommand = {
  readonly name: string
  readonly usage: string
  readonly description: string
  /** Returns the text to show; undefined if the arguments do not fit `usage`. */
  readonly run: (context: CommandContext, args: readonly string[]) => Promise<string | undefined> | string | undefined
}

/** Replaces characters that could rewrite a terminal: controls other than line feeds, and marks of text direction. */
export const toPrintable = (text: string): string => text.replace(/[^\P{Cc}\n]|[\u2028-\u202e\u2066-\u2069]/gu, '\u{fffd}')
export const toPrintableLine = (text: string): string => toPrintable(text).replaceAll('\n', '\u{fffd}')

const round = (value: number): number => Math.round(value * 10) / 10
const directions = ['north', 'north-east', 'east', 'south-east', 'south', 'south-west', 'west', 'north-west'] as const

/** One line about the ten nearest players: `Near: Bob (12 blocks north-east).` */
export const describeNearby = ({ session, world }: Game): string => {
  const own = session.position()
  const players = world.players.list().map(({ displayName, x, z }) => {
    const direction = directions[(Math.round(Math.atan2(x - own.x, own.z - z) / (Math.PI / 4)) + 8) % 8]
    return { displayName: toPrintableLine(displayName), direction, blocks: Math.round(Math.hypot(x - own.x, z - own.z)) }
  })
  if (players.length === 0) return 'No players nearby.'
  const nearest = players.toSorted((a, b) => a.blocks - b.blocks).slice(0, 10)
  const shown = nearest.map(({ displayName, direction, blocks }) => `${displayName} (${blocks} blocks ${direction})`)
  return `Near: ${shown.join(', ')}${players.length > 10 ? `, and ${players.length - 10} more` : ''}.`
}

/** A block from three coordinates: whole numbers, or `~` and an offset from the player. Undefined if one is not valid. */
const readBlock = ({ game }: CommandContext, args: readonly string[]) => {
  const own = game.session.position()
  const [x = 0, y = 0, z = 0] = [own.x, own.y, own.z].map((from, index) => {
    const [text, tilde, digits] = /^(~?)(-?\d+)?$/.exec(args[index] ?? '') ?? []
    return text ? Number(digits ?? 0) + (tilde === '~' ? Math.floor(from) : 0) : Number.NaN
  })
  return [x, y, z].every((value) => Math.abs(value) < 2 ** 31) ? { x, y, z } : undefined
}

const edit = async (context: CommandContext, args: readonly string[], done: string): Promise<string | undefined> => {
  const at = readBlock(context, args)
  const type = args[3]?.toLowerCase()
  if (at === undefined || type === undefined || args.length > 4) return undefined
  const { ok, reason } = await context.game.session.edit([{ ...at, type }])
  return ok ? `* ${done} at ${at.x} ${at.y} ${at.z}.` : `! Not done: ${toPrintableLine(reason)}.`
}

/** 4 blocks a second, in ten steps: every server allows this pace. */
const blocksPerStep = 0.4
const stepMs = 100

/** Walks along the ground in small moves. Resolves to the reason of the server's Correction if one ended the walk early. */
const walk = async ({ game, signal }: CommandContext, angle: number, blocks: number): Promise<string | undefined> => {
  const { session, world } = game
  let refused: string | undefined
  const stop = session.on('correction', ({ reason }) => {
    refused = reason
  })
  for (let left = blocks; left > 0 && refused === undefined && !signal.aborted; left -= blocksPerStep) {
    const step = Math.min(left, blocksPerStep)
    const { x, y, z } = session.position()
    const to = { x: x + Math.round(Math.sin(angle)) * step, z: z - Math.round(Math.cos(angle)) * step }
    session.move({ ...to, y: findFooting(world.blocks, { ...to, y }) })
    await sleep(stepMs)
  }
  // The server answers in order: a Correction of the last step comes before this Pong.
  if (refused === undefined && !signal.aborted) await session.ping().catch(() => undefined)
  stop()
  return refused
}

export const localCommands: readonly LocalCommand[] = [
  {
    name: 'near',
    usage: '/near',
    description: 'lists the players nearby, with their direction',
    run: ({ game }) => describeNearby(game),
  },
  {
    name: 'walk',
    usage: '/walk <north|south|west|east> [blocks]',
    description: 'walks along the ground, over steps of one block',
    run: async (context, [way = '', written = '5', ...extra]) => {
      const { game } = context
      const direction = ['north', 'east', 'south', 'west'].indexOf(way.toLowerCase())
      const blocks = Number(written)
      if (direction === -1 || !(blocks > 0 && blocks <= 1000) || extra.length > 0) return undefined
      const start = game.session.position()
      const refused = await walk(context, (direction * Math.PI) / 2, blocks)
      const { x, y, z } = game.session.position()
      const at = `You are at ${[x, y, z].map(round).join(' ')}.`
      if (refused === undefined) return `* ${at}`
      return `! Stopped after ${round(Math.hypot(x - start.x, z - start.z))} of ${blocks} blocks: ${toPrintableLine(refused)}. ${at}`
    },
  },
  {
    name: 'place',
    usage: '/place <x> <y> <z> <type>',
    description: 'places a block within reach, such as /place ~1 ~ ~ stone',
    run: (context, args) => edit(context, args, `Placed ${toPrintableLine(args[3] ?? '')}`),
  },
  {
    name: 'break',
    usage: '/break <x> <y> <z>',
    description: 'breaks a block within reach, such as /break ~ ~-1 ~',
    run: (context, args) => (args.length === 3 ? edit(context, [...args, 'air'], 'Broke the block') : undefined),
  },
  {
    name: 'quit',
    usage: '/quit',
    description: 'leaves the game',
    run: ({ stop }) => {
      stop()
      return '* Leaving.'
    },
  },
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
    if (!text.startsWith('/')) return void (await game.session.chat(text).catch(unlessRefused))
    const command = own.find((one) => one.name === name)
    if (command !== undefined) return show((await command.run(context, args)) ?? `! Usage: ${command.usage}`)
    const { ok, text: answer } = await game.session.command(text)
    show(`${ok ? '' : '! '}${toPrintable(answer)}`)
    if (name === 'help' && args.length === 0) show(`Commands of this client:\n${describeLocalCommands(own)}`)
  } catch (error) {
    show(`! ${toPrintable(error instanceof Error ? error.message : String(error))}`)
  }
}
