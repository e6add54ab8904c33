import type { Browser } from 'playwright-core'
import { ask } from '../../e2e/support/api.ts'
import { openPlayPage, type PlayPage, type PlayPageOptions, waitForPage } from './play-page.ts'

/** Longer than any reported position is old. */
const restMs = 2_000

/** The players of one test file, each in a page. `at` returns the browser, the address and a token of the administrator. */
export const createPlayPlayers = (at: () => { readonly browser: Browser; readonly url: string; readonly token: string }) => {
  const opened: PlayPage[] = []
  const open = async (options: Partial<PlayPageOptions> = {}): Promise<PlayPage> => {
    const page = await openPlayPage(at().browser, { url: at().url, ...options })
    opened.push(page)
    return page
  }
  const teleport = async (email: string, to: { x: number; y: number; z: number }): Promise<void> => {
    const { url, token } = at()
    const tryIt = async () => {
      const { body } = await ask(url, 'GET /api/admin/players', { token })
      const player = (body.players as { email: string; playerId: string }[]).find((one) => one.email === email)
      return player && (await ask(url, `POST /api/admin/players/${player.playerId}/teleport`, { token, body: to }))
    }
    // Nodes report players and positions once a second.
    await waitForPage(async () => {
      const moved = await tryIt()
      if (moved !== undefined && moved.status !== 204 && moved.status !== 404)
        throw new Error(`the teleport answered ${moved.status} ${moved.text}`)
      return moved?.status === 204
    })
  }
  return {
    /** The page before the sign-in. */
    open,
    /** Opens a player in the game, after a click in the menu. */
    enter: async (email: string, options: Partial<PlayPageOptions> = {}, password?: string): Promise<PlayPage> => {
      const player = await open(options)
      await player.signIn(email, password)
      await player.play()
      return player
    },
    /** Sets a player to the exact position: held keys go too far on a slow machine. */
    teleport,
    /** Teleports a player, and waits until the page has applied it. */
    stand: async (player: PlayPage, email: string, to: { x: number; y: number; z: number }): Promise<void> => {
      await teleport(email, to)
      await waitForPage(async () => (await player.place()).join() === [to.x, to.y, to.z].join())
    },
    /** Resolves with the position of a player who stands still, once the page and the node agree on it. */
    rest: async (player: PlayPage, email: string): Promise<readonly number[]> => {
      const { url, token } = at()
      let here: readonly number[] = []
      let sinceMs = performance.now()
      await waitForPage(async () => {
        const { body } = await ask(url, 'GET /api/admin/players', { token })
        const known = (body.players as { email: string; position: { x: number; y: number; z: number } }[]).find(
          (one) => one.email === email,
        )?.position
        const now = await player.place()
        // The panel shows a position that is half a second old, and reports of nodes may be a second old.
        if (now.join() !== here.join()) sinceMs = performance.now()
        here = now
        if (known === undefined || performance.now() - sinceMs < restMs) return false
        const { x, y, z } = known
        return [x, y, z].every((part, axis) => Math.abs(part - (here[axis] ?? Number.NaN)) < 0.1)
      })
      return here
    },
    leaveAll: async (): Promise<void> => {
      for (const { context } of opened.splice(0)) await context.close()
    },
    /** Ends a test: no page has violated its policy or thrown an error. */
    expectNoFaults: (...players: readonly PlayPage[]): void => {
      const faults = players.flatMap((player) => player.faults)
      if (faults.length > 0) throw new Error(faults.join('\n'))
    },
  }
}
