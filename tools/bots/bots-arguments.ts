import { parseArgs } from 'node:util'

export const botsUsage = `Usage: npm run bots -- [--url http://127.0.0.1:3000] [--world NAME] [--count 20] [--seconds 60] [--moves 20] [--chat 30] [--build 10]

  --world    the world of the bots, if the server has several
  --count    how many bots walk around; each signs in as bot-1@bots.invalid, bot-2@bots.invalid, …
  --seconds  how long they play; until Ctrl-C by default
  --moves    moves per second of each bot, 1 to 20
  --chat     seconds between chat lines of each bot; no chat by default
  --build    seconds between block changes of each bot; no changes by default

If the server requires passwords, all bots use the one in GATEHOUSE_PASSWORD.
`

export type BotsArguments = {
  readonly url: string
  readonly world?: string
  readonly count: number
  readonly movesPerSecond: number
  readonly seconds?: number
  readonly chatEveryMs?: number
  readonly buildEveryMs?: number
}

const countMax = 10_000

const readNumber = (name: string, text: string, max: number): number => {
  const value = Number(text)
  if (Number.isFinite(value) && value > 0 && value <= max) return value
  throw new Error(`--${name} must be a number above 0 and at most ${max}.`)
}

/** Reads the arguments of `npm run bots`. Throws an Error with a message for the user. */
export const parseBotsArguments = (args: readonly string[]): BotsArguments => {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    args: [...args],
    options: {
      url: { type: 'string', default: 'http://127.0.0.1:3000' },
      count: { type: 'string', default: '20' },
      moves: { type: 'string', default: '20' },
      world: text,
      seconds: text,
      chat: text,
      build: text,
    },
  })
  const { url, world, count, moves, seconds, chat, build } = values
  const day = 86_400
  return {
    url,
    ...(world !== undefined && { world }),
    count: Math.ceil(readNumber('count', count, countMax)),
    movesPerSecond: readNumber('moves', moves, 20),
    ...(seconds !== undefined && { seconds: readNumber('seconds', seconds, day) }),
    ...(chat !== undefined && { chatEveryMs: readNumber('chat', chat, day) * 1_000 }),
    ...(build !== undefined && { buildEveryMs: readNumber('build', build, day) * 1_000 }),
  }
}
