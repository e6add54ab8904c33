import type { Actor } from '../../shared/domain/accounts/actor.ts'
import type { DeletedAccounts } from '../../shared/domain/accounts/deleted-accounts.ts'
import type { AccountService } from '../../shared/domain/accounts/service/account-service.ts'
import type { AccountStore } from '../../shared/domain/accounts/store/account-store.ts'
import type { AuditLog } from '../../shared/domain/audit/audit-log.ts'
import type { Configs } from '../../shared/domain/configs/in-force/configs.ts'
import type { OwnUndone } from '../../shared/domain/history/plan-own-undo.ts'
import type { PlannedBlock } from '../../shared/domain/history/plan-rollback.ts'
import type { Permissions } from '../../shared/domain/permissions/permissions.ts'
import type { RuleSet } from '../../shared/domain/permissions/rules.ts'
import type { SanctionsInForce } from '../../shared/domain/sanctions/in-force/sanctions-in-force.ts'
import type { ReportService } from '../../shared/domain/sanctions/reports/report-service.ts'
import type { Sanction } from '../../shared/domain/sanctions/sanction.ts'
import type { SanctionService } from '../../shared/domain/sanctions/sanction-service.ts'
import type { ZoneService } from '../../shared/domain/zones/zone-service.ts'
import type { Clock } from '../../shared/kernel/clock.ts'
import type { Ids } from '../../shared/kernel/ids.ts'
import type { Store } from '../../shared/platform/storage/store.ts'
import type { ChatLine } from '../links/chat-line.ts'
import type { PlayersElsewhere, Whisper, Whispered } from '../links/players-elsewhere.ts'
import type { SpawnControl, WorldControl } from '../world/world-of-node.ts'
import type { OpenGameZones } from '../zones/open-game-zones.ts'
import type { LandControl } from './land/land-control.ts'

/** A place in the world: blocks, and degrees of yaw and pitch. */
export type Position = {
  readonly x: number
  readonly y: number
  readonly z: number
  readonly yaw: number
  readonly pitch: number
}

/** A connected player as commands see one. */
export type LivePlayer = {
  readonly playerId: string
  readonly email: string
  readonly displayName: string
  readonly groups: readonly string[]
  readonly position: Position
  /** A limited sign-in: the player did not give the password of the account. */
  readonly isLimited?: true
  /** The connection is gone, and the session is kept for a while. */
  readonly isLost?: true
}

/** The players of this node and what may be done to them; takes effect in the next tick. */
export type LivePlayers = {
  /** By display name. */
  listPlayers(): readonly LivePlayer[]
  kick(playerId: string, reason: string): void
  teleport(playerId: string, to: Position): void
  /** A chat line to everyone on every node who does not ignore `by`, in the next tick that has room; false when too many wait for one already. */
  say(from: string, text: string, by: string): boolean
  /** Shows a player of this node a line, unless they ignore who writes, which is not told. */
  whisper(playerId: string, line: Whisper): Promise<Whispered>
  /** With whom a player exchanged a whisper last, in this session. */
  lastWhisper(playerId: string): Pick<LivePlayer, 'playerId' | 'displayName'> | undefined
  noteWhisper(playerId: string, other: Pick<LivePlayer, 'playerId' | 'displayName'>): void
  /** A notice to everyone on this node. */
  announce(text: string): void
  /** Tells a live session whom its player ignores from now on. */
  setIgnored(playerId: string, ignored: ReadonlySet<string>): void
  /** Whether the player may put that block back now; false for who is gone. */
  mayUndo(playerId: string, block: PlannedBlock): boolean
  /** Takes edits of a player of this node back, as far as they may edit there now. */
  undoOwn(playerId: string, plan: readonly PlannedBlock[]): Promise<OwnUndone>
  /** What was said last, on any node, oldest first; a few lines. */
  lastChat(): readonly ChatLine[]
  /** Tells a live session that its switched-off commands changed. */
  setDisabledCommands(playerId: string, names: ReadonlySet<string>): void
}

export type CommandDeps = {
  readonly accounts: AccountService
  readonly accountStore: AccountStore
  readonly deletedAccounts: Pick<DeletedAccounts, 'find' | 'listNamed'>
  readonly permissions: Permissions
  readonly configs: Configs
  readonly store: Store
  readonly audit: AuditLog
  readonly sanctions: SanctionService
  readonly sanctionsInForce: SanctionsInForce
  readonly reports: ReportService
  readonly clock: Clock
  readonly ids: Ids
  readonly world: WorldControl
  readonly zones: ZoneService
  /** The zones of this node's world as they are in force. */
  readonly gameZones: Pick<OpenGameZones, 'isKnown' | 'zoneAt' | 'list' | 'check'>
  /** Where players appear in the world of this node; likewise absent on the command line. */
  readonly spawn?: SpawnControl
  /** Absent on the command line. */
  readonly land?: LandControl
  /** Likewise. */
  readonly live?: LivePlayers
  /** Likewise. */
  readonly elsewhere?: PlayersElsewhere
}

/** What a command's function gets: the services, and every command there is (for help and the like). */
export type CommandContext = CommandDeps & { readonly commands: readonly Command[] }

/** Who runs a command, and from where. */
export type CommandCaller = {
  readonly actor: Actor
  /** The caller's own live player; absent for the console and the command line. */
  readonly playerId?: string
  /** Where the caller connects from; likewise. */
  readonly address?: string | undefined
  /** The rules for commands run where the caller stands; absent where those of the actor count everywhere. */
  readonly rulesHere?: RuleSet
  /** A limited sign-in: the account has a password or an identity provider that this sign-in did not use. */
  readonly isLimited?: boolean
  /** Switched off for this caller. */
  readonly disabled: ReadonlySet<string>
}

type ArgumentKind = 'word' | 'text' | 'number' | 'coordinate' | 'list' | 'email' | 'player' | 'command' | 'duration'

/** One argument; `text` takes the rest of the line, a `duration` such as `10m` is given in milliseconds, `list` is comma-separated, a `coordinate` may be relative: `~5`. */
export type Argument = {
  readonly name: string
  readonly kind: ArgumentKind
  readonly optional?: boolean
  /** Never echoed, logged or completed. */
  readonly secret?: boolean
}

export type ArgumentValues = Readonly<Record<string, string | number | readonly string[] | undefined>>

export type CommandReply = {
  readonly ok: boolean
  readonly text: string
  readonly data?: unknown
  /** The mute that kept the command from being run. */
  readonly muted?: Sanction
}

/** A command, and all that there is of it: help, completion, validation and the list in Welcome are made from this. */
export type Command = {
  /** Lower case, without the slash: `rbac:setgroup`. */
  readonly name: string
  readonly description: string
  /** Alternatives, tried in order by their number of arguments. */
  readonly forms: readonly (readonly Argument[])[]
  readonly permission: 'none' | 'world.undo' | `command.${string}`
  /** With this too, inside zones that one owns or is a member of: then `run` decides where. */
  readonly inOwnZones?: 'zone.history'
  /** Refused to an unverified sign-in. */
  readonly privileged: boolean
  /** It changes what is stored of the account: refused to a limited sign-in. */
  readonly changesAccount?: true
  /** Another name of it: where one is switched off, so is the other. */
  readonly sameAs?: string
  /** It lets the caller speak to others: who is muted may not. */
  readonly speaks?: true
  readonly run: (context: CommandContext, caller: CommandCaller, args: ArgumentValues) => Promise<CommandReply> | CommandReply
}
