import type { Route } from '../http/route.ts'
import { listDiscovered } from '../worlds/list-discovered.ts'
import { listZoneBlocks } from '../zones/list-zone-blocks.ts'

/** Routes of other folders whose answers outgrow what a Lambda can send whole. In AWS a Lambda of their own sends them as they are made. */
export const streamRoutes: readonly Route[] = [listZoneBlocks, listDiscovered]
