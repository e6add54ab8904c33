import { afterEach, describe, expect, it } from '@jest/globals'
import { WebSocket } from 'ws'
import { connect } from '../../../../sdk/connection/connect.ts'
import type { Game } from '../../../../sdk/examples/terminal/commands.ts'
import { localCommands, runLine } from '../../../../sdk/examples/terminal/commands.ts'
import { watchWorld } from '../../../../sdk/world/watch-world.ts'
import { holdToken } from '../../../support/sdk/hold-token.ts'
import { type BlockServerOptions, startBlockServer } from '../../support/block-server.ts'

let server: Awaited<ReturnType<typeof startBlockServer>>
let game: Game
afterEach(async () => {
  game.session.drop()
  await game.session.close()
  await server.close()
})

/** A player who types lines on a server of blocks. */
const start = async (options: BlockServerOptions = {}) => {
  server = await startBlockServer(options)
  const session = await connect(holdToken(server.url, 't'), { WebSocket })
  game = { session, world: watchWorld(session) }
  await session.ping()
  return async (line: string): Promise<string> => {
    const shown: string[] = []
    const { signal } = new AbortController()
    await runLine({ game, signal, show: (text) => shown.push(text), stop: () => undefined }, new Set(), line)
    return shown.join('\n')
  }
}

it('/help lists the commands of this client below those of the server', async () => {
  const type = await start()
  const shown = await type('/help')
  expect(shown).toMatch(/^The server was asked \/help\.\nCommands of this client:\n/)
  for (const { usage, description } of localCommands) expect(shown).toContain(`${usage.padEnd(40)} ${description}`)
  expect(await type('/help kick')).toBe('The server was asked /help kick.')
})

describe('/place and /break', () => {
  it('edit blocks, at absolute or relative coordinates, and confirm the edit', async () => {
    const type = await start()
    expect(await type('/place 3 64 -2 stone')).toBe('* Placed stone at 3 64 -2.')
    expect(game.world.blocks.blockAt(3, 64, -2)?.id).toBe('stone')
    expect(await type('/place ~1 ~ ~-3 Water')).toBe('* Placed Water at 1 64 -3.')
    expect(await type('/break ~ ~-1 ~')).toBe('* Broke the block at 0 63 0.')
    expect(game.world.blocks.blockAt(0, 63, 0)?.id).toBe('air')
    expect(await type('/break 900 64 900')).toBe('* Broke the block at 900 64 900.')
  })

  it.each([
    ['out-of-reach', '! Not done: out-of-reach.'],
    ['missing-permission: world.build', '! Not done: missing-permission: world.build.'],
    ['storage-full', '! Not done: storage-full.'],
    ['of-a-later-version', '! Not done: of-a-later-version.'],
    ['constructor', '! Not done: constructor.'],
    ['\u001b[2J', '! Not done: \ufffd[2J.'],
    ['never', '! Not so fast.'],
  ])('show the reason of the server: %j', async (reason, shown) => {
    const type = await start({ refuseEdit: () => reason })
    expect(await type('/place 1 64 1 stone')).toBe(shown)
    expect(game.world.blocks.blockAt(1, 64, 1)?.id).toBe('air')
  })

  it.each([
    '/place',
    '/place 1 2 3',
    '/place 1 2 x stone',
    '/place 1.5 2 3 stone',
    '/place 1 2 3 stone now',
    '/place 9999999999 1 1 stone',
  ])('refuse %s without a request', async (line) => {
    const type = await start({ refuseEdit: () => 'asked' })
    expect(await type(line)).toBe('! Usage: /place <x> <y> <z> <type>')
    expect(await type('/break 1 2')).toMatch(/^! Usage: \/break/)
    expect(await type('/break 1 2 3 4')).toMatch(/^! Usage: \/break/)
  })

  it('report a lost connection', async () => {
    const type = await start()
    game.session.drop()
    expect(await type('/break 0 63 0')).toBe('! There is no connection. Nothing was sent.')
  })
})

describe('/walk', () => {
  it('follows the ground, up and down steps', async () => {
    const type = await start({ height: (x) => (x === 2 ? 64 : 63) })
    expect(await type('/walk east 1.2')).toBe('* You are at 1.7 64 0.5.')
    expect(await type('/walk east 1')).toBe('* You are at 2.7 65 0.5.')
    expect(await type('/walk east 2')).toBe('* You are at 4.7 64 0.5.')
  })

  it('says how far it went', async () => {
    const type = await start({ height: (x) => (x === 3 ? 66 : 63), refuseMove: ({ x }) => (x > 2.7 ? 'blocked' : undefined) })
    expect(await type('/walk east 10')).toBe('! Stopped after 2 of 10 blocks: blocked. You are at 2.5 64 0.5.')
  })

  it.each([
    ['edge', 'edge'],
    ['of-a-later-version', 'of-a-later-version'],
  ])('gives the reason for stopping at %s', async (reason, words) => {
    const type = await start({ refuseMove: ({ x }) => (x > 1 ? reason : undefined) })
    expect(await type('/walk EAST 10')).toBe(`! Stopped after 0.4 of 10 blocks: ${words}. You are at 0.9 64 0.5.`)
  })

  it('reports a refusal of the last step', async () => {
    const type = await start({ refuseMove: () => 'blocked' })
    expect(await type('/walk north 0.2')).toBe('! Stopped after 0 of 0.2 blocks: blocked. You are at 0.5 64 0.5.')
  })
})
