import type { BlocksConfig } from '../../shared/domain/worlds/blocks-config.ts'
import type { WorldRecord } from '../../shared/domain/worlds/world.ts'

/** The start data of a generation thread. */
export type GenerationWorkerData = {
  readonly world: Pick<WorldRecord, 'seed' | 'generator' | 'settings'>
  readonly blocks: BlocksConfig
}
