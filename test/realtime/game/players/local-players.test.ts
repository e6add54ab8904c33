import { expect, it } from '@jest/globals'
import { createLocalPlayers } from '../../../../realtime/game/players/local-players.ts'

it('stores command switches for a player who is still joining', async () => {
  const noted: string[] = []
  const game = { sessions: { find: () => undefined } }
  const here = createLocalPlayers(game as never, (playerId) => noted.push(playerId))
  expect(await here.readCommands('ada')).toBe(true)
  expect(noted).toEqual(['ada'])
})
