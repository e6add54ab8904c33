import type { Session } from '../../sdk/connection/connect.ts'
import type { WatchedWorld } from '../../sdk/world/watch-world.ts'

/** A player in the game, and the world around as far as the server has told of it. */
export type Game = { readonly session: Session; readonly world: Pick<WatchedWorld, 'blocks' | 'players'> }

/** How it ended: `ok` when the player wanted that. */
export type GameEnd = { readonly ok: boolean; readonly text: string }

/** Whether the player is in the game, as soon as that is known. */
export const untilLive = async (session: Session): Promise<boolean> => {
  const { name } = session.state()
  if (name === 'live' || name === 'ended') return name === 'live'
  return new Promise((resolve) => {
    const end = session.on('state', (state) => {
      if (state.name !== 'live' && state.name !== 'ended') return
      end()
      resolve(state.name === 'live')
    })
  })
}

/** Nobody watches a script: it shall end when its server does not come back. */
const giveUpMs = 120_000

/** Tells of each wait for the server, and resolves when there will be no further connection. */
export const watchEnd = (session: Session, show: (text: string) => void, now: () => number): Promise<GameEnd> => {
  let lostAtMs: number | undefined
  return new Promise((resolve) => {
    session.on('state', (state) => {
      if (state.name === 'live') lostAtMs = undefined
      if (state.name === 'ended')
        resolve({ ok: state.reason === 'left', text: state.reason === 'left' ? 'You left.' : state.text })
      if (state.name !== 'waiting') return
      lostAtMs ??= now()
      const seconds = Math.max(0.1, Math.round((state.retryAt - now()) / 100) / 10)
      show(`* ${state.text} Trying again in ${seconds} s.`)
      if (now() - lostAtMs < giveUpMs) return
      resolve({ ok: false, text: `${state.text} Gave up after ${giveUpMs / 60_000} minutes.` })
      void session.close()
    })
  })
}
