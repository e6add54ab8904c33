import { isDeepStrictEqual } from 'node:util'
import type { BlocksConfig } from '../../shared/domain/worlds/blocks-config.ts'
import { type BlockRegistry, placeholder, readBlock } from '../../shared/domain/worlds/chunks/block-registry.ts'
import type { BlockType } from '../protocol/generated/gatehouse.ts'
import type { Session } from '../sessions/session.ts'
import { fitViewRadius } from './fit-view-radius.ts'
import type { Game } from './game.ts'

/** Configs that the game copies instead of reading them at each use. Owned by the game loop. */
export type LiveConfigs = {
  /** Configs were read again. The changes apply from the next tick. */
  refresh(blocks: BlocksConfig): void
  /** Continues to apply changes. Call it first in a tick, before anything that sends blocks. */
  step(): void
  /** The block types, as clients get them. */
  blocks(): readonly BlockType[]
}

/** The number of sessions whose view radius is updated in one tick. Each may need hundreds of columns and players. */
const viewsPerTick = 100

const listBlocks = (registry: BlockRegistry): readonly BlockType[] =>
  registry.listTypes().map(({ index, id, name, colour, solid }) => ({
    index,
    id,
    name,
    colour,
    solid,
    ...(id === placeholder.id && { placeholder: true }),
  }))

export const createLiveConfigs = (game: Pick<Game, 'world' | 'viewRadiusMax' | 'sessions' | 'broadcasts'>): LiveConfigs => {
  const { registry } = game.world
  let blocks = listBlocks(registry)
  let changed: BlocksConfig | undefined
  let toFit: Session[] = []

  const takeBlocks = (config: BlocksConfig): void => {
    registry.merge(config.blocks.map(readBlock))
    const next = listBlocks(registry)
    if (isDeepStrictEqual(next, blocks)) return
    blocks = next
    game.world.streaming.blocksChanged()
    game.broadcasts.send({ $case: 'blocksRegistry', value: { blocks: [...blocks] } })
  }

  return {
    refresh: (config) => {
      changed = config
    },
    step: () => {
      if (changed !== undefined) {
        takeBlocks(changed)
        toFit = [...game.sessions.all()]
        changed = undefined
      }
      for (const session of toFit.splice(0, viewsPerTick)) fitViewRadius(game, session)
    },
    blocks: () => blocks,
  }
}
