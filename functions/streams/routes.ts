import type { Route } from '../http/route.ts'
import { listDiscovered } from '../worlds/list-discovered.ts'
import { listZoneBlocks } from '../zones/zone-blocks.ts'

/** Routes of other folders with answers too large for a Lambda to send whole. In AWS a separate Lambda streams them. */
export const streamRoutes: readonly Route[] = [listZoneBlocks, listDiscovered]
