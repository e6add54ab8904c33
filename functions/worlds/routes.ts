import type { Route } from '../http/route.ts'
import { getMapTile } from './get-map-tile.ts'
import { listDiscovered } from './list-discovered.ts'
import { listHistory } from './list-history.ts'
import { openWorldFeed } from './open-world-feed.ts'
import { pregenWorld } from './pregen-world.ts'
import { rollbackWorld } from './rollback-world.ts'
import { exportWorld, importWorld } from './world-files.ts'
import { createWorld, deleteWorld, listWorlds, renameWorld, restoreWorld } from './worlds.ts'

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
