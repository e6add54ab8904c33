import type { Route } from '../http/route.ts'
import { listDiscovered } from '../worlds/list-discovered.ts'
import { listZoneBlocks } from '../zones/list-zone-blocks.ts'

/** The routes of other folders whose answers grow past what a Lambda can send as a whole: in AWS one of their own sends them as they are made. */
export const streamRoutes: readonly Route[] = [listZoneBlocks, listDiscovered]
