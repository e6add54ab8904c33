import type { Route } from '../http/route.ts'
import { createWorld } from './create-world.ts'
import { listDiscovered } from './list-discovered.ts'
import { listWorlds } from './list-worlds.ts'

export const worldRoutes: readonly Route[] = [listWorlds, createWorld, listDiscovered]
