import type { BlocksConfig } from '../../shared/domain/worlds/blocks-config.ts'
import type { WorldRecord } from '../../shared/domain/worlds/world.ts'

/** What a thread that generates is started with. */
export type GenerationWorkerData = {
  readonly world: Pick<WorldRecord, 'seed' | 'generator' | 'settings'>
  readonly blocks: BlocksConfig
}
