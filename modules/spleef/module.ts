import { Type } from '@sinclair/typebox'
import { type Context, defineModule, type Player } from 'gatehouse/module'

const teams = ['red', 'blue'] as const
type Team = (typeof teams)[number]
const isTeam = (word: string | undefined): word is Team => teams.some((team) => team === word)

const declare = {
  settings: Type.Object({
    /** The zone of the game. */
    zone: Type.String({ default: 'Spleef' }),
    /** The snapshot with the floor. Each round ends with it. */
    snapshot: Type.String({ default: 'Spleef' }),
    /** The height of the blocks of the floor. A player in or below it is out. */
    floor: Type.Integer({ default: 63 }),
    /** The place of players who are out. */
    lobby: Type.Object({ x: Type.Number(), y: Type.Number(), z: Type.Number() }, { default: { x: 0.5, y: 70, z: 0.5 } }),
  }),
  player: { schema: Type.Object({ wins: Type.Integer({ default: 0 }) }) },
  state: { schema: Type.Object({ red: Type.Integer({ default: 0 }), blue: Type.Integer({ default: 0 }) }) },
}
type Game = Context<typeof declare>

/** Players of the round, with their teams. A reload ends the round. */
const playing = new Map<string, Team>()
let isRunning = false

const arenaOf = ({ world, settings }: Game) => world.zone(settings.zone)

const tellAll = (game: Game, text: string): void => {
  for (const player of arenaOf(game)?.players() ?? []) player.tell(text)
}

/** Ends the round when one team is left. */
const endIfWon = (game: Game): void => {
  const [winner, ...others] = new Set(playing.values())
  if (!isRunning || others.length > 0) return
  isRunning = false
  if (winner !== undefined) {
    game.state[winner] += 1
    for (const id of playing.keys()) {
      const player = game.players.find(id)
      if (player !== undefined) player.data.wins += 1
    }
  }
  tellAll(
    game,
    winner === undefined ? 'No player is left.' : `Team ${winner} wins: red ${game.state.red}, blue ${game.state.blue}.`,
  )
  playing.clear()
  arenaOf(game)?.reset(game.settings.snapshot, (reason) => {
    if (reason !== undefined) game.log.error('The floor could not be restored.', { reason })
  })
}

const takeOut = (player: Player<typeof declare>, game: Game): void => {
  if (!playing.delete(player.id)) return
  if (isRunning) tellAll(game, `${player.name} is out.`)
  endIfWon(game)
}

const join = (player: Player<typeof declare>, team: string | undefined, game: Game) => {
  if (isRunning) return { refuse: 'A round is running. Wait for its end.' }
  if (!isTeam(team)) return { refuse: 'Choose a team: /spleef join red or /spleef join blue.' }
  if (game.world.zoneAt(player.place)?.name !== game.settings.zone) return { refuse: 'Go into the arena first.' }
  playing.set(player.id, team)
  return `You are in team ${team}. /spleef start begins the round.`
}

const start = (game: Game) => {
  if (isRunning) return { refuse: 'A round is running.' }
  if (new Set(playing.values()).size < teams.length) return { refuse: 'Each team needs a player.' }
  isRunning = true
  tellAll(game, 'Go! Dig away the floor below the other team.')
  return 'The round begins.'
}

/** Spleef: two teams dig away the floor below each other. The last team on it wins, and a snapshot restores the floor. */
export default defineModule({
  name: 'spleef',
  api: 1,
  declare,
  decide: {
    edit: ({ player, changes }, { world, settings }) => {
      if (!changes.some((change) => world.zoneAt(change)?.name === settings.zone)) return undefined
      if (!isRunning || !playing.has(player.id)) return { refuse: 'Only players of a round can dig here.' }
      return changes.every(({ to }) => to === 'air') ? undefined : { refuse: 'Dig, do not build.' }
    },
  },
  on: {
    start: () => {
      playing.clear()
      isRunning = false
    },
    tick: (_event, game) => {
      if (!isRunning) return
      for (const id of [...playing.keys()]) {
        const player = game.players.find(id)
        if (player === undefined || player.place.y > game.settings.floor + 0.5) continue
        player.teleport(game.settings.lobby)
        takeOut(player, game)
      }
    },
    left: ({ player }, game) => takeOut(player, game),
    zoneLeft: ({ player, zone }, game) => {
      if (zone.name === game.settings.zone) takeOut(player, game)
    },
  },
  commands: {
    spleef: {
      description: 'Joins a team, starts a round, or shows the score.',
      forms: [
        [
          { name: 'action', kind: 'word' },
          { name: 'team', kind: 'word', optional: true },
        ],
      ],
      permission: 'none',
      run: (caller, { action, team }, game) => {
        if (action === 'score') return `Red ${game.state.red}, blue ${game.state.blue}. You: ${caller?.data.wins ?? 0}.`
        if (caller === undefined) return { refuse: 'Only players can play.' }
        if (action === 'join') return join(caller, team, game)
        if (action === 'start') return start(game)
        return { refuse: 'Use /spleef join, /spleef start or /spleef score.' }
      },
    },
  },
})
