import { ConnectionLostError } from '../../../sdk/errors.ts'
import type { Game } from '../../../sdk/examples/terminal/commands.ts'
import { waitFor } from '../../support/time/wait-for.ts'

export type Placed = { readonly x: number; readonly y: number; readonly z: number; readonly type: string }
export type EditAnswer = { readonly ok: boolean; readonly reason: string }

/** A player who builds in the air, and knows the world only from messages. */
export const createBuilder = ({ session, world }: Game) => {
  const { x, y, z } = session.position()
  const [left, floor, back] = [Math.floor(x) - 2, Math.floor(y) + 3, Math.floor(z) - 2]
  const blockAt = (place: { x: number; y: number; z: number }) => world.blocks.blockAt(place.x, place.y, place.z)
  return {
    session,
    isOpen: () => session.state().name === 'live',
    /** Places within reach, above the heads of players, across four columns around the player. */
    places: Array.from({ length: 75 }, (_, i) => ({
      x: left + (i % 5),
      y: floor + Math.floor(i / 25),
      z: back + (Math.floor(i / 5) % 5),
    })),
    /** Sends the edit; resolves with the answer, or undefined if the connection ends first. */
    edit: async (edits: readonly Placed[]): Promise<EditAnswer | undefined> => {
      try {
        const { ok, reason } = await session.edit(edits)
        return { ok, reason }
      } catch (error) {
        if (error instanceof ConnectionLostError) return undefined
        throw error
      }
    },
    /** The ids at these places, once all their columns are loaded. */
    look: async (places: readonly { x: number; y: number; z: number }[]): Promise<(string | undefined)[]> => {
      await waitFor(() => places.every((place) => blockAt(place) !== undefined))
      return places.map((place) => blockAt(place)?.id)
    },
  }
}

export type Builder = ReturnType<typeof createBuilder>
