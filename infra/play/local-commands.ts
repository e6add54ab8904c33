import { describeNearby } from './describe-nearby.ts'
import type { GameClient } from './game-client.ts'
import { compass, isCompassPoint, walk } from './walk.ts'

export type LocalContext = {
  readonly client: GameClient
  readonly show: (text: string) => void
  /** Aborted when the player leaves. */
  readonly signal: AbortSignal
  /** Leaves the game. */
  readonly quit: () => void
}

/** A command that this client answers itself; the server's command of that name goes first. */
export type LocalCommand = {
  readonly name: string
  readonly usage: string
  readonly run: (context: LocalContext, args: readonly string[]) => Promise<void> | void
}

const blocksMax = 1_000
const defaultBlocks = 5

const near: LocalCommand = {
  name: 'near',
  usage: '/near',
  run: ({ client, show }) => show(describeNearby(client.position(), client.nearby.list())),
}

const walkCommand: LocalCommand = {
  name: 'walk',
  usage: `/walk <${Object.keys(compass).join('|')}> [blocks]`,
  run: async ({ client, show, signal }, [towards = '', written = String(defaultBlocks), ...extra]) => {
    const blocks = Number(written)
    if (!isCompassPoint(towards) || !(blocks > 0 && blocks <= blocksMax) || extra.length > 0) {
      show(`! Usage: ${walkCommand.usage}; at most ${blocksMax} blocks.`)
      return
    }
    const refused = await walk(client, { towards, blocks, signal })
    const { x, y, z } = client.position()
    const place = [x, y, z].map((value) => Math.round(value * 10) / 10).join(' ')
    if (refused === undefined) show(`* You are at ${place}.`)
  },
}

const quit: LocalCommand = { name: 'quit', usage: '/quit', run: (context) => context.quit() }

/** Every command of this client's own. */
export const localCommands: readonly LocalCommand[] = [near, walkCommand, quit]
