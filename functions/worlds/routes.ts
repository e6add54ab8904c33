import type { Route } from '../http/route.ts'
import { createWorld } from './create-world.ts'
import { getMapTile } from './get-map-tile.ts'
import { listDiscovered } from './list-discovered.ts'
import { listWorlds } from './list-worlds.ts'

export const worldRoutes: readonly Route[] = [listWorlds, createWorld, listDiscovered, getMapTile]
