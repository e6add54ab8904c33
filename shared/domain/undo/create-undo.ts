import type { Clock } from '../../kernel/clock.ts'
import type { Ids } from '../../kernel/ids.ts'
import type { EventBus } from '../../platform/events/event-bus.ts'
import type { Store } from '../../platform/storage/store.ts'
import type { DeletedAccounts } from '../accounts/deleted-accounts.ts'
import type { AccountService } from '../accounts/service/account-service.ts'
import type { AccountStore } from '../accounts/store/account-store.ts'
import type { AuditLog } from '../audit/audit-log.ts'
import type { ConfigEditor } from '../configs/editor/config-editor.ts'
import type { JobService } from '../jobs/job-service.ts'
import type { ModuleDataAdmin } from '../modules/admin/module-data-admin.ts'
import type { Permissions } from '../permissions/permissions.ts'
import type { SanctionService } from '../sanctions/sanction-service.ts'
import type { ChunkStore } from '../worlds/store/chunk-store.ts'
import type { WorldService } from '../worlds/world-service.ts'
import type { ZoneService } from '../zones/zone-service.ts'
import { createUndoAccounts } from './undo-accounts.ts'
import { createUndoConfigs } from './undo-configs.ts'
import { createUndoModuleData } from './undo-module-data.ts'
import { createUndoRestores, createUndoRollbacks } from './undo-rollbacks.ts'
import { createUndoSanctions } from './undo-sanctions.ts'
import { createUndoService, type UndoService } from './undo-service.ts'
import { createUndoSpawns } from './undo-spawns.ts'
import { createUndoSwitches } from './undo-switches.ts'
import { createUndoZones } from './undo-zones.ts'

type Deps = {
  readonly audit: AuditLog
  readonly accounts: AccountService
  readonly accountStore: AccountStore
  readonly deletedAccounts: DeletedAccounts
  readonly zones: ZoneService
  readonly configEditor: ConfigEditor
  readonly sanctions: SanctionService
  readonly moduleData: ModuleDataAdmin
  readonly worlds: WorldService
  readonly jobs: JobService
  readonly chunks: ChunkStore
  readonly store: Store
  readonly permissions: Permissions
  readonly events: EventBus
  readonly clock: Clock
  readonly ids: Ids
}

/** Undo of all kinds of writes that support it. */
export const createUndo = (deps: Deps): UndoService =>
  createUndoService({
    audit: deps.audit,
    undoers: [
      createUndoAccounts(deps),
      createUndoZones(deps),
      createUndoConfigs(deps),
      createUndoSanctions(deps),
      createUndoModuleData(deps),
      createUndoSpawns(deps),
      createUndoSwitches(deps),
      createUndoRollbacks(deps),
      createUndoRestores(deps),
    ],
  })
