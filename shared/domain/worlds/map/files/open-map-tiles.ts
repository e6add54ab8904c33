import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Clock } from '../../../../kernel/clock.ts'
import type { Ids } from '../../../../kernel/ids.ts'
import type { Log } from '../../../../kernel/log.ts'
import type { Turns } from '../../../../kernel/turns.ts'
import type { NodeReports } from '../../../node-reports/node-reports.ts'
import type { BlocksConfig } from '../../blocks-config.ts'
import type { ChunkStore } from '../../store/chunk-store.ts'
import { createMapTiles, type MapTiles } from '../map-tiles.ts'
import { createTileChanges } from '../tile-changes.ts'
import { createTileFiles } from './tile-files.ts'

type OpenMapTilesDeps = {
  readonly chunks: ChunkStore
  readonly configs: { readonly get: (name: 'blocks.yaml') => BlocksConfig }
  readonly turns: Turns
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly nodeReports: NodeReports
}

/** Map tiles on disk: in the data folder, or with DynamoDB in the machine's temporary folder. */
export const openMapTiles = (
  place: { readonly dataDir: string; readonly dynamodb: unknown },
  { configs, ids, log, nodeReports, ...deps }: OpenMapTilesDeps,
): MapTiles => {
  const folder = place.dynamodb === undefined ? join(place.dataDir, 'map') : join(tmpdir(), 'gatehouse-map')
  const changes = createTileChanges({ ...deps, nodeReports, log })
  return createMapTiles({
    ...deps,
    changes,
    blocks: () => configs.get('blocks.yaml'),
    files: createTileFiles({ folder, ids, log }),
  })
}
