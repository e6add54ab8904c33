import type { Route } from '../http/route.ts'
import { createWorld } from './create-world.ts'
import { exportWorld } from './export-world.ts'
import { getMapTile } from './get-map-tile.ts'
import { importWorld } from './import-world.ts'
import { listDiscovered } from './list-discovered.ts'
import { listHistory } from './list-history.ts'
import { listWorlds } from './list-worlds.ts'
import { deleteWorld, renameWorld, restoreWorld } from './move-world.ts'
import { openWorldFeed } from './open-world-feed.ts'
import { pregenWorld } from './pregen-world.ts'
import { rollbackWorld } from './rollback-world.ts'

export const worldRoutes: readonly Route[] = [
  listWorlds,
  createWorld,
  renameWorld,
  deleteWorld,
  restoreWorld,
  exportWorld,
  importWorld,
  pregenWorld,
  listHistory,
  rollbackWorld,
  listDiscovered,
  getMapTile,
  openWorldFeed,
]
