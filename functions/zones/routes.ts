import type { Route } from '../http/route.ts'
import { changeZone } from './change-zone.ts'
import { createZone } from './create-zone.ts'
import { deleteZone } from './delete-zone.ts'
import { getZone } from './get-zone.ts'
import { listBlockKinds } from './list-block-kinds.ts'
import { listZoneBlocks } from './list-zone-blocks.ts'
import { listZones } from './list-zones.ts'
import { openZoneFeed } from './open-zone-feed.ts'
import { setZoneBounds } from './set-zone-bounds.ts'
import { setZoneChunks } from './set-zone-chunks.ts'
import { setZoneEnabled } from './set-zone-enabled.ts'
import { setZoneLayout } from './set-zone-layout.ts'
import { setZoneMembers, setZoneRules, setZoneSchedule } from './set-zone-rules.ts'
import { deleteSnapshot, listSnapshots, restoreSnapshot, takeSnapshot } from './zone-snapshots.ts'

export const zoneRoutes: readonly Route[] = [
  listZones,
  createZone,
  getZone,
  changeZone,
  deleteZone,
  setZoneBounds,
  setZoneChunks,
  setZoneEnabled,
  setZoneLayout,
  setZoneRules,
  setZoneMembers,
  setZoneSchedule,
  listSnapshots,
  takeSnapshot,
  deleteSnapshot,
  restoreSnapshot,
  listZoneBlocks,
  listBlockKinds,
  openZoneFeed,
]
