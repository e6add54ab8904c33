import { AccountView } from '../shared/domain/accounts/account-view.ts'
import { FailedSignIns } from '../shared/domain/accounts/failed-sign-ins.ts'
import { NotedSignIn } from '../shared/domain/accounts/sign-in-log.ts'
import { ApiToken } from '../shared/domain/api-tokens/api-tokens.ts'
import { AuditEntry } from '../shared/domain/audit/audit-log.ts'
import { Invitation } from '../shared/domain/auth/own-accounts/invitation.ts'
import { Backup } from '../shared/domain/backups/backup.ts'
import { ClassDefinition } from '../shared/domain/classes/classes-config.ts'
import { ConfigChange, ConfigImpact, GrantedAttack, GrantedSpell } from '../shared/domain/configs/compare/config-impact-schema.ts'
import { Explanation } from '../shared/domain/explain/explanation.ts'
import { JobState } from '../shared/domain/jobs/job.ts'
import { NodeStep } from '../shared/domain/node-reports/day-records.ts'
import { AccountGrant } from '../shared/domain/permissions/account-grant.ts'
import { OnlinePlayer } from '../shared/domain/players/online-players.ts'
import { Report, ReportState } from '../shared/domain/sanctions/reports/report.ts'
import { Sanction, SanctionKind } from '../shared/domain/sanctions/sanction.ts'
import { BlocksConfig } from '../shared/domain/worlds/blocks-config.ts'
import { ZoneSnapshot } from '../shared/domain/zones/snapshots/snapshot.ts'
import {
  ClipPlanes,
  ShortcutBarPages,
  ZoneChunks,
  ZoneHours,
  ZoneReset,
  ZoneRules,
  ZoneSchedule,
} from '../shared/domain/zones/zone.ts'
import { Group } from './accounts/list-groups.ts'
import { ListedToken } from './accounts/tokens.ts'
import { ListedAccount } from './accounts/users.ts'
import { Renewed, SignedIn } from './auth/login.ts'
import { CreatedApiToken } from './auth/tokens.ts'
import { ClassDetails, Skills, Unlocks } from './classes/classes.ts'
import { ListedConfig, Revision, SaveEffect } from './configs/read-configs.ts'
import { Fault, Report as ReloadReport } from './configs/reload-configs.ts'
import { Rehearsed, Saved } from './configs/save-config.ts'
import type { SchemaNames } from './http/openapi/schema-references.ts'
import {
  BackupJob,
  BackupVerifyJob,
  ImportWorldJob,
  JobView,
  PregenJob,
  RestoreJob,
  RollbackCounts,
  RollbackJob,
  SnapshotJob,
} from './jobs/jobs.ts'
import { NodeMetrics } from './live/list-metrics.ts'
import { TeleportPlace, TeleportToPlayer } from './live/players.ts'
import { NodeView } from './realtime/list-nodes.ts'
import { Report as ReadinessReport } from './service/health.ts'
import { UndoDryRun, Undone } from './undo/undo.ts'
import { BlockBoxBody } from './worlds/block-box.ts'
import { Change } from './worlds/list-history.ts'
import { WorldView } from './worlds/worlds.ts'
import { Line } from './zones/zone-blocks.ts'
import { ZoneView } from './zones/zones.ts'

/** The schemas that generated clients get as types of their own. An equal schema anywhere in a route becomes a reference. */
export const schemaNames: SchemaNames = {
  Account: AccountView,
  ListedAccount,
  Grant: AccountGrant,
  Group,
  SignIn: SignedIn,
  RenewedToken: Renewed,
  SignInRecord: NotedSignIn,
  FailedSignIns,
  ApiToken,
  CreatedApiToken,
  OwnedApiToken: ListedToken,
  Invitation,
  Explanation,
  AccessCheck: Explanation.properties.checks.items,
  AuditEntry,
  Undone,
  UndoDryRun,
  Sanction,
  SanctionKind,
  Report,
  ReportState,
  Player: OnlinePlayer,
  TeleportPlace,
  TeleportToPlayer,
  Position: OnlinePlayer.properties.position,
  World: WorldView,
  BlockChange: Change,
  BlockBox: BlockBoxBody,
  RollbackCounts,
  Zone: ZoneView,
  ZoneRules,
  ZoneSchedule,
  ZoneHours: ZoneHours.items,
  ZoneReset,
  ZoneSnapshot,
  ZoneBlock: Line,
  Column: ZoneChunks.items,
  ClipPlane: ClipPlanes.properties.x,
  ClipPlanes,
  ShortcutBarPages,
  BlockKind: BlocksConfig.properties.blocks.items,
  ClassDefinition,
  Skills,
  ClassUnlocks: Unlocks,
  ClassDetails,
  SavedConfig: Saved,
  ConfigDryRun: Rehearsed,
  ConfigChange,
  ConfigImpact,
  GrantedAttack,
  GrantedSpell,
  ConfigEffect: SaveEffect,
  ConfigRevision: Revision,
  ListedConfig,
  ConfigFault: Fault,
  ReloadReport,
  Job: JobView,
  PregenJob,
  RollbackJob,
  SnapshotJob,
  RestoreJob,
  BackupJob,
  BackupVerifyJob,
  ImportWorldJob,
  JobState,
  Backup,
  RealtimeNode: NodeView,
  NodeMetrics,
  NodeStep,
  Readiness: ReadinessReport,
}
