import { isDeepStrictEqual } from 'node:util'
import type { BlocksConfig } from '../../shared/domain/worlds/blocks-config.ts'
import { type BlockRegistry, placeholder, readBlock } from '../../shared/domain/worlds/chunks/block-registry.ts'
import type { BlockType } from '../protocol/generated/gatehouse.ts'
import type { Session } from '../sessions/session.ts'
import { fitViewRadius } from './fit-view-radius.ts'
import type { Game } from './game.ts'

/** Configs that the game takes over, and does not just ask for at each use. Owned by the game loop. */
export type LiveConfigs = {
  /** Configs were read again: counts from the next tick on. */
  refresh(blocks: BlocksConfig): void
  /** Goes on with that; before anything that a tick tells of blocks. */
  step(): void
  /** The kinds of blocks as clients are told of them. */
  blocks(): readonly BlockType[]
}

/** Sessions whose view is fitted in one tick: each may have hundreds of columns and players to be told of. */
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
