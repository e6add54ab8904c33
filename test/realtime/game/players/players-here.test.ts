import { expect, it } from '@jest/globals'
import { createPlayersHere } from '../../../../realtime/game/players/players-here.ts'

it('stores command switches for a player who is still joining', async () => {
  const noted: string[] = []
  const game = { sessions: { find: () => undefined } }
  const here = createPlayersHere(game as never, (playerId) => noted.push(playerId))
  expect(await here.readCommands('ada')).toBe(true)
  expect(noted).toEqual(['ada'])
})
