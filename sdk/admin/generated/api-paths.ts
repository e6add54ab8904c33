// Made from the list of routes by `npm run generate`.

export type Account = {
  /** The email of an account, in lower case. */
  readonly email: string
  /** The id of the player. It never changes. */
  readonly playerId: string
  /** The name that other players see. */
  readonly displayName: string
  /** Names of groups. */
  readonly groups: readonly string[]
  /** Groups and permissions for a time or at a place; absent if there are none. */
  readonly grants?: readonly Grant[]
  /** Whether the account has a password. */
  readonly hasPassword: boolean
  /** When it was created. */
  readonly createdAt: string
}

export type ListedAccount = {
  /** The email of an account, in lower case. */
  readonly email: string
  /** The id of the player. It never changes. */
  readonly playerId: string
  /** The name that other players see. */
  readonly displayName: string
  /** Names of groups. */
  readonly groups: readonly string[]
  /** Groups and permissions for a time or at a place; absent if there are none. */
  readonly grants?: readonly Grant[]
  /** Whether the account has a password. */
  readonly hasPassword: boolean
  /** When it was created. */
  readonly createdAt: string
  /** The last sign-in; absent if none was recorded. */
  readonly lastSeenAt?: string
  /** Only with `sharesName`. Equal for accounts whose display names look alike. */
  readonly nameKey?: string
}

export type Grant = {
  /** letters, digits, - and _, at most 64 */
  readonly id: string
  /** The name of a group. */
  readonly group?: string
  /** a lower-case dotted name, the last part of which may be * */
  readonly permission?: string
  /** Counts only at places in this world. */
  readonly world?: string
  /** Counts only at places in this zone. */
  readonly zone?: string
  /** The end. */
  readonly until?: string
  /** The reason, for people. */
  readonly reason?: string
  /** The email of the granting account; `operator` for the command line. */
  readonly by: string
  /** When it happened. */
  readonly at: string
}

export type Group = {
  /** The name. */
  readonly name: string
  /** The rules of the group itself. */
  readonly permissions: readonly string[]
  /** Groups whose rules it also has. */
  readonly inherits: readonly string[]
  /** The rules with those of inherited groups. */
  readonly effective: readonly string[]
}

export type SignIn = {
  /** A bearer token, valid for ten minutes. */
  readonly token: string
  /** The name that other players see. */
  readonly displayName: string
  /** The id of the player. It never changes. */
  readonly playerId: string
  /** True if the password matched. False where the server requires none and the password was wrong, missing, or the account has none. An account with a password then has the permissions of the default groups, and no privileged permission applies. */
  readonly verified: boolean
  readonly failed?: FailedSignIns
}

export type RenewedToken = {
  /** A bearer token, valid for ten minutes. */
  readonly token: string
  /** The name that other players see. */
  readonly displayName: string
  /** The id of the player. It never changes. */
  readonly playerId: string
}

export type SignInRecord = {
  /** When it happened. */
  readonly at: string
  /** Proof of identity. `email`: none, because the server requires no password. */
  readonly by: "password" | "identity-provider" | "email"
}

export type FailedSignIns = {
  /** How many there were. */
  readonly count: number
  /** When the last one was; absent if there was none. */
  readonly lastAt?: string
}

export type ApiToken = {
  /** The id. */
  readonly id: string
  /** What the token is for, as its owner calls it. */
  readonly name: string
  /** Names and wildcards. The token has those of them that its owner has. */
  readonly permissions: readonly string[]
  /** When it was created. */
  readonly createdAt: string
  /** Absent if the token does not expire. */
  readonly expiresAt?: string
  /** To the hour. Absent if the token was never used. */
  readonly lastUsedAt?: string
}

export type CreatedApiToken = {
  /** The id. */
  readonly id: string
  /** What the token is for, as its owner calls it. */
  readonly name: string
  /** Names and wildcards. The token has those of them that its owner has. */
  readonly permissions: readonly string[]
  /** When it was created. */
  readonly createdAt: string
  /** Absent if the token does not expire. */
  readonly expiresAt?: string
  /** To the hour. Absent if the token was never used. */
  readonly lastUsedAt?: string
  /** The secret: `ght_` and 43 characters. The server stores only its SHA-256. */
  readonly token: string
}

export type OwnedApiToken = {
  /** The id. */
  readonly id: string
  /** What the token is for, as its owner calls it. */
  readonly name: string
  /** Names and wildcards. The token has those of them that its owner has. */
  readonly permissions: readonly string[]
  /** When it was created. */
  readonly createdAt: string
  /** Absent if the token does not expire. */
  readonly expiresAt?: string
  /** To the hour. Absent if the token was never used. */
  readonly lastUsedAt?: string
  /** The owner. */
  readonly playerId: string
  /** The email of the owner. Absent if the account is gone. */
  readonly email?: string
}

export type Invitation = {
  /** The id. */
  readonly id: string
  /** Groups of the new account; absent: the default groups. */
  readonly groups?: readonly string[]
  /** A note for admins; the invited person does not see it. */
  readonly note?: string
  /** The email of the inviter. */
  readonly by: string
  /** When it happened. */
  readonly at: string
  /** The end. */
  readonly until: string
}

export type Explanation = {
  /** All checks are ok. */
  readonly allowed: boolean
  /** `none` for a command that needs none. */
  readonly permission: string
  /** Every check, in order. */
  readonly checks: readonly AccessCheck[]
  /** The modules were not asked, because the player is not in the world or no node answered. A module may still refuse the action. */
  readonly modulesNotAsked?: true
  /** The rule that decides; absent if there is none. */
  readonly rule?: {
    /** As written; a leading `-` denies the permission. */
    readonly rule: string
    /** The group with the rule; empty if a grant gives the permission itself. */
    readonly group: string
    /** The path of inheritance from a group of the account to that group; empty for a group of the account itself. */
    readonly through: readonly string[]
    /** Where the rule is. */
    readonly source: "groups.yaml" | "grant" | "built-in"
  }
}

export type AccessCheck = {
  /** In the order in which the server makes them, without those that do not apply. `sanction` comes first, except for commands that send chat: a mute is checked last. `module` comes at the end, once for each module that decides about the action. */
  readonly check: "sanction" | "switched-off" | "permission" | "verified" | "zone" | "module"
  /** Whether it passes. */
  readonly ok: boolean
  /** Text for people. */
  readonly detail: string
}

export type AuditEntry = {
  /** The id. */
  readonly id: string
  /** When it happened. */
  readonly at: string
  /** The email of the author; `operator` for the command line. */
  readonly actor: string
  /** What the actor did: `account.create`, `zone.update`. */
  readonly action: string
  /** The changed object, such as the email of an account. */
  readonly target: string
  /** The value before the change; null if it was created. */
  readonly before: unknown
  /** The value after the change; null if it was deleted. */
  readonly after: unknown
  /** The way in which the change was made. */
  readonly via: "http" | "command" | "feed" | "cli"
  /** The `X-Request-Id` of the request. */
  readonly requestId: string
  /** The actor has not proven their identity: wrong passwords, a registration, or a sign-in by email alone. Such entries take up at most a quarter of the log. */
  readonly unproven?: true
  /** The id of the entry or job that this one undoes. */
  readonly undoes?: string
  /** Email of the account that the deleted account was merged into. */
  readonly mergedInto?: string
  /** Number of changes in this entry: messages or teleports by one caller within ten seconds. Absent for one change. */
  readonly count?: number
  /** The changes after the first, oldest first. Lists leave them out if the entry is long. */
  readonly more?: readonly {
    /** Time of this change. */
    readonly at: string
    /** Request of this change. A filter by it finds the entry. */
    readonly requestId: string
    /** The changed object, if it differs from that of the entry. */
    readonly target?: string
    /** The state before this change. */
    readonly before: unknown
    /** The state after this change. */
    readonly after: unknown
  }[]
  /** Size of the whole entry in bytes. Values too long for a list are `{cut: bytes}` here; `GET /api/admin/audit/{id}` returns them. */
  readonly cut?: number
}

export type Undone = {
  readonly entry: AuditEntry
  /** The current value; null if it is deleted. */
  readonly restored: unknown
}

export type UndoDryRun = {
  /** The value after the undo; null if it would be deleted. */
  readonly would: unknown
}

export type Sanction = {
  /** Ids sort by time. */
  readonly id: string
  readonly kind: SanctionKind
  /** The email of the account; absent for a ban of addresses. */
  readonly email?: string
  /** An address or a CIDR; only for bans. */
  readonly address?: string
  /** The reason that is shown to the player. */
  readonly reason: string
  /** A note for admins. */
  readonly note?: string
  /** The end; absent if there is none. */
  readonly until?: string
  /** The email of the admin who imposed it; `operator` for the command line. */
  readonly by: string
  /** When it happened. */
  readonly at: string
  /** When it was ended early. */
  readonly endedAt?: string
  /** The email of the admin who ended it. A warning also ends when its player has seen it, with the email of the player. */
  readonly endedBy?: string
}

export type SanctionKind = "ban" | "mute" | "warning"

export type Report = {
  /** Ids sort by time. */
  readonly id: string
  /** When it happened. */
  readonly at: string
  /** The email of the reporting player. */
  readonly by: string
  /** The email of the reported player, if any. */
  readonly about?: string
  /** The text. */
  readonly text: string
  /** Where the player was. */
  readonly place: {
    /** The name of a world. */
    readonly world: string
    /** The x coordinate, in blocks. */
    readonly x: number
    /** The height, in blocks. */
    readonly y: number
    /** The z coordinate, in blocks. */
    readonly z: number
  }
  /** Oldest first. */
  readonly lastChat: readonly {
    /** The chat channel. */
    readonly channel: string
    /** The previous value, or the start. */
    readonly from: string
    /** The text. */
    readonly text: string
  }[]
  readonly state: ReportState
  /** A note by the admins. */
  readonly note?: string
  /** The email of the admin who closed the report. */
  readonly closedBy?: string
}

export type ReportState = "open" | "closed"

export type Player = {
  /** The id of the player. It never changes. */
  readonly playerId: string
  /** The email of an account, in lower case. */
  readonly email: string
  /** The name that other players see. */
  readonly displayName: string
  /** The name of a world. */
  readonly world: string
  readonly position: Position
  /** The id of the real-time node. */
  readonly node: string
  /** When the player connected. */
  readonly since: string
  /** The sign-in is limited: it did not use the account’s password or identity provider. */
  readonly limited?: true
  /** The last measured round-trip time. */
  readonly pingMs?: number
}

export type TeleportPlace = {
  /** The x coordinate, in blocks. */
  readonly x: number
  /** The height, in blocks. */
  readonly y: number
  /** The z coordinate, in blocks. */
  readonly z: number
}

export type TeleportToPlayer = {
  /** The id of the player. It never changes. */
  readonly playerId: string
}

export type Position = {
  /** The x coordinate, in blocks. */
  readonly x: number
  /** The height, in blocks. */
  readonly y: number
  /** The z coordinate, in blocks. */
  readonly z: number
  /** Degrees around the vertical axis. */
  readonly yaw: number
  /** Degrees up or down. */
  readonly pitch: number
}

export type World = {
  /** The name. */
  readonly name: string
  /** The seed of the terrain. */
  readonly seed: number
  /** Generated columns. */
  readonly chunkCount: number
  /** When it was created. */
  readonly createdAt: string
  /** Whether the server runs this world. */
  readonly active: boolean
  /** The version of the generator that creates its terrain. */
  readonly generator: string
  /** The size of its chunks in the store. */
  readonly sizeBytes: number
  /** Where new players appear. Absent in old worlds: there it is the dry land nearest to the middle. */
  readonly spawn?: {
    /** The x coordinate, in blocks. */
    readonly x: number
    /** The height, in blocks. */
    readonly y?: number
    /** The z coordinate, in blocks. */
    readonly z: number
    /** Degrees around the vertical axis. */
    readonly yaw?: number
  }
  /** Why its chunks cannot be read. The numbers are then 0. */
  readonly warning?: string
}

export type BlockChange = {
  /** When it happened. */
  readonly at: string
  /** A playerId. Absent for a change that a module made for no player. */
  readonly by?: string
  /** The way in which the change was made. */
  readonly via: "game" | "feed" | "command" | "rollback" | "restore" | "module"
  /** The module that made the change, with `via` `module`. */
  readonly module?: string
  /** The x coordinate, in blocks. */
  readonly x: number
  /** The height, in blocks. */
  readonly y: number
  /** The z coordinate, in blocks. */
  readonly z: number
  /** The id of a block type. */
  readonly from: string
  /** The id of a block type. */
  readonly to: string
  /** The job that rolled this change back. */
  readonly undoes?: string
}

export type BlockBox = {
  /** The first block in x, included. */
  readonly minX: number
  /** The lowest block, included. */
  readonly minY: number
  /** The first block in z, included. */
  readonly minZ: number
  /** The last block in x, included. */
  readonly maxX: number
  /** The highest block, included. */
  readonly maxY: number
  /** The last block in z, included. */
  readonly maxZ: number
}

export type RollbackCounts = {
  /** The changes of blocks. */
  readonly changes: number
  /** A number of blocks. */
  readonly blocks: number
  /** A number of columns. */
  readonly columns: number
  /** Blocks that someone else has changed since. */
  readonly skipped: number
}

export type Zone = {
  /** The id. */
  readonly id: string
  /** The name. */
  readonly name: string
  /** The name of a world. */
  readonly world: string
  /** The lowest height, included. */
  readonly yMin: number
  /** The highest height, included. */
  readonly yMax: number
  /** The columns, sorted by `cx`, then `cz`. */
  readonly chunks: readonly Column[]
  /** Whether it has an effect. */
  readonly enabled: boolean
  readonly clipPlanes: ClipPlanes
  readonly shortcutBarPages: ShortcutBarPages
  /** The playerId of the owner, initially of the account that created the zone. */
  readonly owner: string
  /** When it was created. */
  readonly createdAt: string
  /** When it was last changed. */
  readonly updatedAt: string
  readonly rules?: ZoneRules
  /** PlayerIds, at most 200; absent: none. */
  readonly members?: readonly string[]
  /** The zone is inactive until this time. */
  readonly opensAt?: string
  /** The zone is inactive from this time on. */
  readonly closesAt?: string
  /** The zone is deleted at this time. */
  readonly expiresAt?: string
  /** Outside these hours the zone is inactive. Default: always open. If `to` is at or before `from`, the hours end on the next day. If summer time skips a local time, the next one counts. A local time that occurs twice counts once. */
  readonly hours?: readonly ZoneHours[]
  /** IANA name of the time zone of `hours` and of a daily reset. Default: UTC. */
  readonly timeZone?: string
  readonly reset?: ZoneReset
  /** The owner’s account was deleted. Assign a new owner. */
  readonly ownerGone?: true
  /** Why its blocks cannot be read: its world is deleted or damaged, or does not have its columns. */
  readonly warning?: string
}

/** Default: build `permission`, enter `everyone`. */
export type ZoneRules = {
  /** The players who may build. */
  readonly build: "permission" | "members" | "everyone" | "nobody"
  /** The players who may enter. */
  readonly enter: "everyone" | "members"
  /** Shown to players who enter. */
  readonly greeting?: string
  /** Shown to players who leave. */
  readonly farewell?: string
}

export type ZoneSchedule = {
  /** The zone is inactive until this time. */
  readonly opensAt?: string
  /** The zone is inactive from this time on. */
  readonly closesAt?: string
  /** The zone is deleted at this time. */
  readonly expiresAt?: string
  /** Outside these hours the zone is inactive. Default: always open. If `to` is at or before `from`, the hours end on the next day. If summer time skips a local time, the next one counts. A local time that occurs twice counts once. */
  readonly hours?: readonly ZoneHours[]
  /** IANA name of the time zone of `hours` and of a daily reset. Default: UTC. */
  readonly timeZone?: string
  readonly reset?: ZoneReset
}

export type ZoneHours = {
  /** The days on which the hours begin. */
  readonly days: readonly ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[]
  /** The previous value, or the start. */
  readonly from: string
  /** The new value, or the end. */
  readonly to: string
}

export type ZoneReset = {
  /** The id of a snapshot of the zone. */
  readonly snapshot: string
  /** How often: 10m to 52w, counted from when the node of the world reads the setting. Or daily: `day at 06:00` in the `timeZone` of the zone, `day at 06:00 Europe/Berlin` in another one. */
  readonly every: string
}

export type ZoneSnapshot = {
  /** The id of the job that took the snapshot. Ids sort by time. */
  readonly id: string
  /** The name. */
  readonly name: string
  /** The time of the snapshot. */
  readonly at: string
  /** A playerId. */
  readonly by: string
  /** Blocks of the zone that are not air. */
  readonly blocks: number
  /** The size in the store. */
  readonly sizeBytes: number
}

/** One block per line, without air, ordered by `y`, then column (`cx`, `cz`), then `x`, then `z`, so a capped answer has the lowest layers. Streamed, as gzip if the client accepts it. */
export type ZoneBlock = {
  /** The x coordinate, in blocks. */
  readonly x: number
  /** The height, in blocks. */
  readonly y: number
  /** The z coordinate, in blocks. */
  readonly z: number
  /** The id of a block type. */
  readonly type: string
}

export type Column = {
  /** The column: `floor(x / 16)`. */
  readonly cx: number
  /** The column: `floor(z / 16)`. */
  readonly cz: number
}

export type ClipPlane = {
  /** Whether it has an effect. */
  readonly enabled: boolean
  /** Whether it hides the other side. */
  readonly flipped: boolean
  /** The position of the plane on its axis, in blocks. */
  readonly pos: number
}

export type ClipPlanes = {
  readonly x: ClipPlane
  readonly y: ClipPlane
  readonly z: ClipPlane
}

export type ShortcutBarPages = readonly (readonly (string | null)[])[]

export type BlockKind = {
  /** The id in stored worlds: lower-case letters, digits and _, at most 64, starting with a letter. Never rename it. */
  readonly id: string
  /** The display name. */
  readonly name: string
  /** The colour as `#rrggbb`. Quote it in YAML. */
  readonly colour: string
  /** Whether players collide with it. Water is not solid. */
  readonly solid: boolean
}

export type ClassDefinition = {
  /** The resource that its skills cost: `MANA` needs `manaFormula`, `RAGE` needs `rageFormula`. */
  readonly resource: "MANA" | "RAGE"
  /** Bonuses of the class to each attribute. */
  readonly bonuses: {
    /** Added to strength. */
    readonly str: number
    /** Added to dexterity. */
    readonly dex: number
    /** Added to intelligence. */
    readonly int: number
    /** Added to wisdom. */
    readonly wis: number
    /** Added to constitution. */
    readonly con: number
    /** Added to charisma. */
    readonly cha: number
  }
  /** Hit points by level, at least 1 at each level from 1 to 60. The formula may contain numbers, `level`, the class's bonuses `str`, `dex`, `int`, `wis`, `con`, `cha`, the operators + - * /, parentheses, and `min`, `max`, `floor`, `ceil`, `round`. In YAML it needs quotes only if it is a single number. */
  readonly hpFormula: string
  /** Required for resource `MANA` and refused otherwise: maximum mana by level, at least 1 at each level from 1 to 60. The formula may contain numbers, `level`, the class's bonuses `str`, `dex`, `int`, `wis`, `con`, `cha`, the operators + - * /, parentheses, and `min`, `max`, `floor`, `ceil`, `round`. In YAML it needs quotes only if it is a single number. */
  readonly manaFormula?: string
  /** Required for resource `RAGE` and refused otherwise: maximum rage by level, at least 1 at each level from 1 to 60. The formula may contain numbers, `level`, the class's bonuses `str`, `dex`, `int`, `wis`, `con`, `cha`, the operators + - * /, parentheses, and `min`, `max`, `floor`, `ceil`, `round`. In YAML it needs quotes only if it is a single number. */
  readonly rageFormula?: string
  /** The skills of the class by level, 1 to 60. */
  readonly levels: { readonly [name: string]: {
      /** Attacks that the class learns or improves at this level. */
      readonly attacks: readonly {
        /** Id of an attack of `skills/attacks.yaml`: lower-case letters, digits, _ and -, starting with a letter, at most 64 characters. */
        readonly attack: string
        /** The rank of the attack; a later level may grant a higher one. */
        readonly rank: number
      }[]
      /** Spells that the class learns at this level. */
      readonly spells: readonly string[]
    } }
}

export type Skills = {
  /** Ids, sorted. */
  readonly attacks: readonly string[]
  /** Ids, sorted. */
  readonly spells: readonly string[]
  /** Attacks by id, with their ranks. */
  readonly attackDetails: { readonly [name: string]: {
      /** The kind of damage, such as `slashing` or `fire`: a word in lower-case letters, digits, _ and -, at most 32 characters. */
      readonly damageType: string
      /** Off: no player has the skill. Remove it from all classes first: a class that grants it is refused. */
      readonly enabled: boolean
      /** By rank, from 1 without gaps, at most 99. A class grants one rank and may grant a higher one later. */
      readonly ranks: { readonly [name: string]: {
          /** Damage of a hit in hit points; the dice are added to it. */
          readonly power: number
          /** Time between two uses in milliseconds, at most an hour. */
          readonly cooldownMs: number
          /** Mana or rage per use; 0 is free. */
          readonly cost: number
          /** Random damage: `2d6+3` is two six-sided dice plus three. 1 to 99 dice of 2 to 100 sides. */
          readonly dice: string
        } }
    } }
  /** Spells by id. */
  readonly spellDetails: { readonly [name: string]: {
      /** The kind of spell, such as `healing` or `ward`: a word in lower-case letters, digits, _ and -, at most 32 characters. */
      readonly type: string
      /** Off: no player has the skill. Remove it from all classes first: a class that grants it is refused. */
      readonly enabled: boolean
      /** Mana or rage per use; 0 is free. */
      readonly cost: number
      /** Time between two uses in milliseconds, at most an hour. */
      readonly cooldownMs: number
      /** Radius of the effect around the target in blocks; 0 affects only the target. */
      readonly radius: number
      /** Maximum distance of the target in blocks; 0 is the caster. */
      readonly maxRange: number
    } }
}

/** Ids of attacks by class and level, each once, lower levels first. */
export type ClassUnlocks = { readonly [name: string]: { readonly [name: string]: readonly string[] } }

export type ClassDetails = {
  /** Classes by name, as in `classes.yaml`. */
  readonly classes: { readonly [name: string]: ClassDefinition }
  /** The granted attacks by id, with their ranks. */
  readonly attackDetails: { readonly [name: string]: {
      /** The kind of damage, such as `slashing` or `fire`: a word in lower-case letters, digits, _ and -, at most 32 characters. */
      readonly damageType: string
      /** Off: no player has the skill. Remove it from all classes first: a class that grants it is refused. */
      readonly enabled: boolean
      /** By rank, from 1 without gaps, at most 99. A class grants one rank and may grant a higher one later. */
      readonly ranks: { readonly [name: string]: {
          /** Damage of a hit in hit points; the dice are added to it. */
          readonly power: number
          /** Time between two uses in milliseconds, at most an hour. */
          readonly cooldownMs: number
          /** Mana or rage per use; 0 is free. */
          readonly cost: number
          /** Random damage: `2d6+3` is two six-sided dice plus three. 1 to 99 dice of 2 to 100 sides. */
          readonly dice: string
        } }
    } }
  /** The granted spells by id. */
  readonly spellDetails: { readonly [name: string]: {
      /** The kind of spell, such as `healing` or `ward`: a word in lower-case letters, digits, _ and -, at most 32 characters. */
      readonly type: string
      /** Off: no player has the skill. Remove it from all classes first: a class that grants it is refused. */
      readonly enabled: boolean
      /** Mana or rage per use; 0 is free. */
      readonly cost: number
      /** Time between two uses in milliseconds, at most an hour. */
      readonly cooldownMs: number
      /** Radius of the effect around the target in blocks; 0 affects only the target. */
      readonly radius: number
      /** Maximum distance of the target in blocks; 0 is the caster. */
      readonly maxRange: number
    } }
}

export type SavedConfig = {
  /** The name. */
  readonly name: string
  /** The entity tag of the saved text, without quotes. */
  readonly etag: string
  readonly effect: ConfigEffect
}

export type ConfigDryRun = {
  /** The name. */
  readonly name: string
  readonly effect: ConfigEffect
  /** From the stored text to the sent one. */
  readonly changes: readonly ConfigChange[]
  readonly impact: ConfigImpact
}

export type ConfigChange = {
  /** JSON Pointer into the new content, or into the old content for a removed value. For a list whose entries have a new order, `from` and `to` are their names. */
  readonly pointer: string
  /** The previous value; null if there was none. */
  readonly from: unknown
  /** The new value; null if it is removed. */
  readonly to: unknown
  /** When the change applies: now (no process uses the value), after a reload, or after a restart. */
  readonly effect: "now" | "reload" | "restart"
}

/** The effects of the change. */
export type ConfigImpact = {
  /** Connected players that are affected; null if their list is unavailable. */
  readonly connected: number | null
  /** Likely mistakes, each in one sentence. */
  readonly warnings: readonly string[]
  /** Changes left out of `changes`, which has at most 500. */
  readonly changesOmitted?: number
  /** For `groups.yaml`: the permissions that groups and accounts gain and lose. */
  readonly groups?: {
    /** Groups that gain or lose permissions, in the order of the file; at most 200. */
    readonly groups: readonly {
      /** The name of a group. */
      readonly group: string
      /** Permissions that they gain, sorted. A name with a star stands for all names below it that are not listed. */
      readonly gains: readonly string[]
      /** Permissions that they lose. */
      readonly loses: readonly string[]
      /** Names left out of the two lists, which have at most 200 each. */
      readonly omitted?: number
    }[]
    /** Further groups that are not listed. */
    readonly groupsOmitted?: number
    /** Permissions that new accounts gain and lose. */
    readonly newAccounts: {
      /** Permissions that they gain, sorted. A name with a star stands for all names below it that are not listed. */
      readonly gains: readonly string[]
      /** Permissions that they lose. */
      readonly loses: readonly string[]
      /** Names left out of the two lists, which have at most 200 each. */
      readonly omitted?: number
    }
    /** The affected accounts; null if the accounts cannot be read. */
    readonly accounts: {
      /** Accounts that gain or lose permissions by all their groups together. */
      readonly count: number
      /** Connected players that are affected; null if their list is unavailable. */
      readonly connected: number | null
      /** The first 50 of them by email; empty without the permission `admin.users.read`. */
      readonly listed: readonly {
        /** The email of an account, in lower case. */
        readonly email: string
        /** Permissions that they gain, sorted. A name with a star stands for all names below it that are not listed. */
        readonly gains: readonly string[]
        /** Permissions that they lose. */
        readonly loses: readonly string[]
        /** Names left out of the two lists, which have at most 200 each. */
        readonly omitted?: number
      }[]
    } | null
    /** Groups of accounts that would not exist, sorted; at most 100. */
    readonly unknownGroups: readonly {
      /** The name of a group. */
      readonly group: string
      /** How many accounts are in it. */
      readonly accounts: number
    }[]
  }
  /** For `server.yaml`: each changed setting. */
  readonly settings?: readonly {
    /** JSON Pointer of the setting. */
    readonly pointer: string
    /** The affected players: connected ones, later ones, or none. */
    readonly touches: "connected" | "newcomers" | "nobody"
    /** The consequence in one sentence. */
    readonly note: string
  }[]
  /** For `blocks.yaml`, by id. */
  readonly blocks?: {
    /** Blocks that can be placed after the change. */
    readonly added: readonly string[]
    /** Blocks whose look or behaviour changes. */
    readonly changed: readonly string[]
    /** Removed blocks, which worlds show as a placeholder. */
    readonly removed: readonly string[]
    /** Whether the order of the other blocks changes. */
    readonly moved: boolean
  }
  /** For `classes.yaml`: the skills that classes gain or lose at each level; at most 500. */
  readonly classes?: readonly {
    /** The name of a class. */
    readonly class: string
    /** A level from 1 to 60. */
    readonly level: number
    /** Added names. */
    readonly gains: readonly (GrantedAttack | GrantedSpell)[]
    /** Removed names. */
    readonly loses: readonly (GrantedAttack | GrantedSpell)[]
  }[]
  /** Further levels that are not listed. */
  readonly classesOmitted?: number
  /** For `skills/attacks.yaml` and `skills/spells.yaml`: added, changed and removed skills; at most 500. */
  readonly skills?: readonly {
    /** The id. */
    readonly id: string
    /** Whether it is added, changed or removed. */
    readonly change: "added" | "changed" | "removed"
    /** Classes that learn it, by the active configuration. */
    readonly classes: readonly string[]
  }[]
}

/** An attack with its rank. */
export type GrantedAttack = {
  /** The id of an attack. */
  readonly attack: string
  /** The rank of the attack. */
  readonly rank: number
}

/** A spell. */
export type GrantedSpell = {
  /** The id of a spell. */
  readonly spell: string
}

/** The effect that applies the whole text. */
export type ConfigEffect = "reload" | "restart"

export type ConfigRevision = {
  /** The id of a previous text. */
  readonly revision: string
  /** When the text was saved. */
  readonly savedAt: string
  /** An email; `default` for the bundled text, `file` for a text that was written outside the server. */
  readonly savedBy: string
}

export type ListedConfig = {
  /** The name of the file. */
  readonly name: string
  /** What the file configures, in one sentence. */
  readonly summary: string
  readonly effect: ConfigEffect
  /** Whether its values equal the bundled ones, whatever the comments. Absent, like the next two, without the permission to read the file. */
  readonly isDefault?: boolean
  /** When the text was saved. Absent for the bundled text. */
  readonly savedAt?: string
  /** The email of the author; `file` for a text that was written outside the server. */
  readonly savedBy?: string
}

export type ConfigFault = {
  /** The line of the text, counted from 1. */
  readonly line?: number
  /** The column of the text, counted from 1. */
  readonly column?: number
  /** JSON Pointer of the value. */
  readonly pointer?: string
  /** What is wrong, for people. */
  readonly message: string
}

export type ReloadReport = {
  /** Read and applied, at least the parts that need no restart. */
  readonly reloaded: readonly string[]
  /** Files of `reloaded` that changed active settings in the answering process. */
  readonly changed: readonly string[]
  /** Files with changes that need a restart. */
  readonly restartNeeded: readonly string[]
  /** Invalid files: the last valid version stays active. */
  readonly failed: readonly {
    /** The name. */
    readonly name: string
    /** The faults of the file. */
    readonly errors: readonly ConfigFault[]
  }[]
  /** Modules with settings in `modules.yaml` that do not fit their schema. */
  readonly modules: readonly {
    /** The name of the module. */
    readonly module: string
    /** True: the module runs, and keeps its settings. False: it does not run. */
    readonly keepsSettings: boolean
    /** The faults of the file. */
    readonly errors: readonly ConfigFault[]
  }[]
  /** Sentences about entries of `modules.yaml` without a module, and about modules that could not be checked. */
  readonly warnings: readonly string[]
}

export type Job = PregenJob | RollbackJob | SnapshotJob | RestoreJob | BackupJob | BackupVerifyJob | ImportWorldJob

export type PregenJob = {
  /** Ids sort by time. */
  readonly id: string
  /** The kind. */
  readonly kind: "pregen"
  readonly state: JobState
  /** The completed share. */
  readonly progress: number
  /** Progress, or the reason why the job ended, for people. */
  readonly detail: string
  /** The playerId that started the job; `operator` for the command line, `system` for a schedule. */
  readonly by: string
  /** The world that the job concerns, by its name when the job was created. */
  readonly world?: string
  /** The zone that the job concerns. */
  readonly zone?: string
  /** When it started. */
  readonly startedAt: string
  /** When it ended; absent while it runs. */
  readonly finishedAt?: string
  /** The result; for a job that was cut short, the work done until then. */
  readonly result?: {
    /** A number of columns. */
    readonly columns: number
    /** New columns. */
    readonly generated: number
  }
}

export type RollbackJob = {
  /** Ids sort by time. */
  readonly id: string
  /** The kind. */
  readonly kind: "rollback"
  readonly state: JobState
  /** The completed share. */
  readonly progress: number
  /** Progress, or the reason why the job ended, for people. */
  readonly detail: string
  /** The playerId that started the job; `operator` for the command line, `system` for a schedule. */
  readonly by: string
  /** The world that the job concerns, by its name when the job was created. */
  readonly world?: string
  /** The zone that the job concerns. */
  readonly zone?: string
  /** When it started. */
  readonly startedAt: string
  /** When it ended; absent while it runs. */
  readonly finishedAt?: string
  /** The result; for a job that was cut short, the work done until then. */
  readonly result?: RollbackCounts
}

export type SnapshotJob = {
  /** Ids sort by time. */
  readonly id: string
  /** The kind. */
  readonly kind: "snapshot"
  readonly state: JobState
  /** The completed share. */
  readonly progress: number
  /** Progress, or the reason why the job ended, for people. */
  readonly detail: string
  /** The playerId that started the job; `operator` for the command line, `system` for a schedule. */
  readonly by: string
  /** The world that the job concerns, by its name when the job was created. */
  readonly world?: string
  /** The zone that the job concerns. */
  readonly zone?: string
  /** When it started. */
  readonly startedAt: string
  /** When it ended; absent while it runs. */
  readonly finishedAt?: string
  /** The result; for a job that was cut short, the work done until then. */
  readonly result?: ZoneSnapshot
}

export type RestoreJob = {
  /** Ids sort by time. */
  readonly id: string
  /** The kind. */
  readonly kind: "restore"
  readonly state: JobState
  /** The completed share. */
  readonly progress: number
  /** Progress, or the reason why the job ended, for people. */
  readonly detail: string
  /** The playerId that started the job; `operator` for the command line, `system` for a schedule. */
  readonly by: string
  /** The world that the job concerns, by its name when the job was created. */
  readonly world?: string
  /** The zone that the job concerns. */
  readonly zone?: string
  /** When it started. */
  readonly startedAt: string
  /** When it ended; absent while it runs. */
  readonly finishedAt?: string
  /** The result; for a job that was cut short, the work done until then. */
  readonly result?: {
    /** A number of blocks. */
    readonly blocks: number
  }
}

export type BackupJob = {
  /** Ids sort by time. */
  readonly id: string
  /** The kind. */
  readonly kind: "backup"
  readonly state: JobState
  /** The completed share. */
  readonly progress: number
  /** Progress, or the reason why the job ended, for people. */
  readonly detail: string
  /** The playerId that started the job; `operator` for the command line, `system` for a schedule. */
  readonly by: string
  /** The world that the job concerns, by its name when the job was created. */
  readonly world?: string
  /** The zone that the job concerns. */
  readonly zone?: string
  /** When it started. */
  readonly startedAt: string
  /** When it ended; absent while it runs. */
  readonly finishedAt?: string
  /** The result; for a job that was cut short, the work done until then. */
  readonly result?: Backup
}

export type BackupVerifyJob = {
  /** Ids sort by time. */
  readonly id: string
  /** The kind. */
  readonly kind: "verify-backup"
  readonly state: JobState
  /** The completed share. */
  readonly progress: number
  /** Progress, or the reason why the job ended, for people. */
  readonly detail: string
  /** The playerId that started the job; `operator` for the command line, `system` for a schedule. */
  readonly by: string
  /** The world that the job concerns, by its name when the job was created. */
  readonly world?: string
  /** The zone that the job concerns. */
  readonly zone?: string
  /** When it started. */
  readonly startedAt: string
  /** When it ended; absent while it runs. */
  readonly finishedAt?: string
  /** The result; for a job that was cut short, the work done until then. */
  readonly result?: Backup
}

export type ImportWorldJob = {
  /** Ids sort by time. */
  readonly id: string
  /** The kind. */
  readonly kind: "import-world"
  readonly state: JobState
  /** The completed share. */
  readonly progress: number
  /** Progress, or the reason why the job ended, for people. */
  readonly detail: string
  /** The playerId that started the job; `operator` for the command line, `system` for a schedule. */
  readonly by: string
  /** The world that the job concerns, by its name when the job was created. */
  readonly world?: string
  /** The zone that the job concerns. */
  readonly zone?: string
  /** When it started. */
  readonly startedAt: string
  /** When it ended; absent while it runs. */
  readonly finishedAt?: string
  /** The result; for a job that was cut short, the work done until then. */
  readonly result?: {
    /** The name of a world. */
    readonly world: string
    /** A number of columns. */
    readonly columns: number
  }
}

/** The last three are final. */
export type JobState = "queued" | "running" | "done" | "failed" | "cancelled"

export type Backup = {
  /** Ids sort by time. */
  readonly id: string
  /** The moment whose data it contains. */
  readonly at: string
  /** The names of the worlds in it. */
  readonly worlds: readonly string[]
  /** The size in bytes. */
  readonly sizeBytes: number
  /** When every record was last verified. */
  readonly verifiedAt?: string
}

export type RealtimeNode = {
  /** The id of the real-time node. */
  readonly nodeId: string
  /** The name of a world. */
  readonly world: string
  /** Where clients reach the node: `{url}/realtime`. */
  readonly url: string
  /** Connected players. */
  readonly sessions: number
  /** The most players that the node accepts. */
  readonly maxSessions: number
  /** `draining`: the node is stopping and accepts no players. */
  readonly state: "ready" | "draining"
}

export type NodeMetrics = {
  /** The id of the real-time node. */
  readonly node: string
  /** Steps of `stepSeconds`, oldest first. */
  readonly steps: readonly NodeStep[]
}

export type NodeStep = {
  /** The end of the step. */
  readonly at: string
  /** Connected players. */
  readonly sessions: number
  /** How long ticks took. */
  readonly tick: {
    /** The median duration of a tick, in milliseconds. */
    readonly p50Ms: number
    /** The 99th percentile of the duration of a tick, in milliseconds. */
    readonly p99Ms: number
  }
  /** Ticks that exceeded their time budget. */
  readonly overruns: number
  /** Bytes received from players. */
  readonly bytesIn: number
  /** Bytes sent to players. */
  readonly bytesOut: number
  /** Queue lengths: messages for the next tick, work outside ticks, and pending writes. */
  readonly queues: {
    /** Messages that wait for the next tick. */
    readonly inbox: number
    /** Work that waits between ticks. */
    readonly work: number
    /** Edits that wait for a tick. */
    readonly edits: number
    /** Columns that wait to be stored. */
    readonly chunkWrites: number
    /** New terrain that waits to be stored. */
    readonly terrainWrites: number
    /** Positions of players that wait to be stored. */
    readonly places: number
  }
  /** Resident. */
  readonly memoryBytes: number
  /** CPU cores in use: 1 is one core, fully used. */
  readonly cpu: number
}

export type Readiness = {
  /** Whether the process takes traffic. */
  readonly ready: boolean
  /** What the process needs, by name. */
  readonly dependencies: readonly {
    /** `redis`, `dynamodb`, `records`, `accounts`; `process` while it stops. */
    readonly name: string
    /** What does not work without it. */
    readonly neededFor: string
    /** Whether it passes. */
    readonly ok: boolean
    /** What is wrong, for people. */
    readonly detail?: string
  }[]
  /** Faults that stop nothing. */
  readonly warnings: readonly string[]
}

/** Every route: its parameters, and what it answers by status. */
export interface ApiPaths {
  /** Whether the process is alive. */
  readonly 'GET /healthz': {
    readonly params: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answers: {
      readonly 200: {
        /** The HTTP status; `ok` from a live process. */
        readonly status: "ok"
      }
    }
  }
  /** Whether the process can take traffic, with each dependency by name. */
  readonly 'GET /readyz': {
    readonly params: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answers: {
      readonly 200: Readiness
    }
  }
  /** This API as OpenAPI 3.1. */
  readonly 'GET /api/openapi.json': {
    readonly params: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answers: {
      readonly 200: unknown
    }
  }
  /** The WebSockets of feeds and players as AsyncAPI 3. */
  readonly 'GET /api/asyncapi.json': {
    readonly params: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answers: {
      readonly 200: unknown
    }
  }
  /** This API as a page for people. */
  readonly 'GET /api/docs': {
    readonly params: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answers: {
      readonly 200: unknown
    }
  }
  /** The stylesheet of that page. */
  readonly 'GET /api/docs/style.css': {
    readonly params: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answers: {
      readonly 200: unknown
    }
  }
  /** The script of that page: search, copy buttons, and requests. */
  readonly 'GET /api/docs/script.js': {
    readonly params: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answers: {
      readonly 200: unknown
    }
  }
  /** Where to report a vulnerability (RFC 9116). */
  readonly 'GET /.well-known/security.txt': {
    readonly params: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answers: {
      readonly 200: unknown
    }
  }
  /** The real-time nodes with their worlds and loads. */
  readonly 'GET /api/realtime/nodes': {
    readonly params: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answers: {
      readonly 200: {
        /** By world and node. */
        readonly items: readonly RealtimeNode[]
      }
    }
  }
  /** The game, in the browser. */
  readonly 'GET /play': {
    readonly params: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answers: {
      readonly 200: unknown
    }
  }
  /** The console for administrators, in the browser. */
  readonly 'GET /console': {
    readonly params: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answers: {
      readonly 200: unknown
    }
  }
  /** A file of a page, or the client library as a tarball for npm: `gatehouse-client.tgz`. */
  readonly 'GET /pages/{file}': {
    readonly params: {
      /** The name of the file. */
      readonly file: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answers: {
      readonly 200: unknown
    }
  }
  /** How to sign in here, and whether a password is required. */
  readonly 'GET /api/auth/config': {
    readonly params: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answers: {
      readonly 200: {
        /** `local` or `oauth`, or another provider that is installed. */
        readonly provider: string
        /** Whether a sign-in needs the right password. */
        readonly requirePassword: boolean
        /** Whether `POST /auth/register` creates accounts: not at all, with an invitation, or for everyone. */
        readonly registration: "off" | "invite" | "open"
        /** The name of the server, if `server.name` of `server.yaml` sets one. */
        readonly name?: string
        /** Present until the server has its first administrator. The claim link is in the terminal of the server. */
        readonly unclaimed?: true
      }
    }
  }
  /** Sign in with email and password. */
  readonly 'POST /auth/login': {
    readonly params: undefined
    readonly query: undefined
    readonly body: {
      /** The email of an account, in lower case. */
      readonly email: string
      /** Required if `GET /api/auth/config` says so. */
      readonly password?: string
      /** For the account that a first sign-in without a password creates; ignored otherwise. No other account may have it or one that looks like it. Absent: made from the email. */
      readonly displayName?: string
    }
    readonly answers: {
      readonly 200: SignIn
    }
  }
  /** The account of the token. */
  readonly 'GET /auth/me': {
    readonly params: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answers: {
      readonly 200: {
        /** The id of the player. It never changes. */
        readonly playerId: string
        /** The name that other players see. */
        readonly displayName: string
        /** Whether the sign-in was by password or by an identity provider. */
        readonly verified: boolean
        /** The groups that count in this sign-in. An unverified sign-in of an account with a password has `defaultGroups` only. */
        readonly groups: readonly string[]
      }
    }
  }
  /** The route permissions of the token, and those that it lacks only because the sign-in is not verified. */
  readonly 'GET /auth/permissions': {
    readonly params: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answers: {
      readonly 200: {
        /** The email of an account, in lower case. */
        readonly email: string
        /** Whether the sign-in was by password or by an identity provider. */
        readonly verified: boolean
        /** Sorted. */
        readonly permissions: readonly string[]
        /** Whether the account has an `admin.` permission and one of the 10,000 most common passwords. Privileged permissions do not apply until it sets another. */
        readonly needsNewPassword: boolean
        /** Permissions that a verified sign-in of the account would add. */
        readonly unverified: readonly string[]
      }
    }
  }
  /** A new token for another ten minutes, up to twelve hours after the sign-in. */
  readonly 'POST /auth/renew': {
    readonly params: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answers: {
      readonly 200: RenewedToken
    }
  }
  /** End this sign-in, its tokens and its live session. */
  readonly 'POST /auth/logout': {
    readonly params: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answers: {
      readonly 204: undefined
    }
  }
  /** Change your own password. This sign-in continues, every other one of the account ends everywhere. */
  readonly 'POST /auth/password': {
    readonly params: undefined
    readonly query: undefined
    readonly body: {
      /** The current password. An account without one gets its first from an administrator. */
      readonly current: string
      /** 8 to 72 bytes of UTF-8. */
      readonly next: string
    }
    readonly answers: {
      readonly 204: undefined
    }
  }
  /** Create an account with a password, if `auth.local.registration` allows it, then sign in. The answer does not reveal whether the email already has an account. */
  readonly 'POST /auth/register': {
    readonly params: undefined
    readonly query: undefined
    readonly body: {
      /** For a new account: at most 254 bytes of UTF-8. */
      readonly email: string
      /** 8 to 72 bytes of UTF-8. */
      readonly password: string
      /** No other account may have it or one that looks like it. Absent: made from the email. */
      readonly displayName?: string
      /** The code of an invitation. */
      readonly invitation?: string
    }
    readonly answers: {
      readonly 204: undefined
    }
  }
  /** Set a new password with the code of a reset link. Every sign-in of the account ends. */
  readonly 'POST /auth/reset': {
    readonly params: undefined
    readonly query: undefined
    readonly body: {
      /** The part after `reset=` in the link. */
      readonly code: string
      /** 8 to 72 bytes of UTF-8. */
      readonly password: string
    }
    readonly answers: {
      readonly 204: undefined
    }
  }
  /** Your API tokens, oldest first, without their secrets. */
  readonly 'GET /auth/tokens': {
    readonly params: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answers: {
      readonly 200: {
        /** Oldest first. */
        readonly tokens: readonly ApiToken[]
      }
    }
  }
  /** Create an API token for a bot or a script. Its secret is shown once. */
  readonly 'POST /auth/tokens': {
    readonly params: undefined
    readonly query: undefined
    readonly body: {
      /** What the token is for, as its owner calls it. */
      readonly name: string
      /** Names and wildcards. The token has those of them that its owner has. */
      readonly permissions: readonly string[]
      /** Absent if the token does not expire. */
      readonly expiresAt?: string
    }
    readonly answers: {
      readonly 201: CreatedApiToken
    }
  }
  /** Delete one of your API tokens. Connections that it opened are closed. */
  readonly 'DELETE /auth/tokens/{id}': {
    readonly params: {
      /** The id. */
      readonly id: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answers: {
      readonly 204: undefined
    }
  }
  /** Claim the administrator account of a new server. */
  readonly 'POST /auth/claim': {
    readonly params: undefined
    readonly query: undefined
    readonly body: {
      /** The secret of the claim link, from the terminal of the server. */
      readonly claim: string
      /** For a new account: at most 254 bytes of UTF-8. */
      readonly email: string
      /** 8 to 72 bytes of UTF-8. */
      readonly password: string
      /** The name that other players see. */
      readonly displayName?: string
      /** True: players need a password or an invitation. False: any email signs in, for testing. Sets `auth.local` in server.yaml. Absent: no change. */
      readonly requirePassword?: boolean
    }
    readonly answers: {
      readonly 200: {
        /** A bearer token, valid for ten minutes. */
        readonly token: string
        /** The name that other players see. */
        readonly displayName: string
        /** The id of the player. It never changes. */
        readonly playerId: string
        /** True if the password matched. False where the server requires none and the password was wrong, missing, or the account has none. An account with a password then has the permissions of the default groups, and no privileged permission applies. */
        readonly verified: boolean
        readonly failed?: FailedSignIns
        /** Whether players need a password from now on, if the request sets it. False after a request with true: server.yaml could not be written, and the log says why. */
        readonly requirePassword?: boolean
      }
    }
  }
  /** A page to claim the administrator account. */
  readonly 'GET /claim': {
    readonly params: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answers: {
      readonly 200: unknown
    }
  }
  /** Accounts by email, with their last sign-in. `q` searches email and display name. `inactiveSince` returns older accounts without a sign-in since then. `sharesName=true` returns accounts whose display name looks like that of another account. Such a page may be short or empty and still have a cursor. */
  readonly 'GET /api/admin/users': {
    readonly params: undefined
    readonly query: {
      /** A part of an email or a display name. */
      readonly q?: string
      /** Only accounts that have not signed in since this time. */
      readonly inactiveSince?: string
      /** Only accounts with a display name that looks like that of another account. */
      readonly sharesName?: boolean
      /** The size of a page. Default: 50. */
      readonly limit?: number
      /** The `nextCursor` of the previous page. */
      readonly cursor?: string
    }
    readonly body: undefined
    readonly answers: {
      readonly 200: {
        /** By email. */
        readonly users: readonly ListedAccount[]
        /** The `cursor` of the next page; absent on the last one. */
        readonly nextCursor?: string
      }
    }
  }
  /** Add an account. Without groups it gets the default groups. */
  readonly 'POST /api/admin/users': {
    readonly params: undefined
    readonly query: undefined
    readonly body: {
      /** For a new account: at most 254 bytes of UTF-8. */
      readonly email: string
      /** 8 to 72 bytes of UTF-8. */
      readonly password: string
      /** The name that other players see. */
      readonly displayName?: string
      /** Names of groups. */
      readonly groups?: readonly string[]
      /** Allows a display name that another account has, but never a reserved one. */
      readonly force?: boolean
    }
    readonly answers: {
      readonly 201: Account
    }
  }
  /** One account, with its entity tag. */
  readonly 'GET /api/admin/users/{email}': {
    readonly params: {
      /** The email of an account, in lower case. */
      readonly email: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answers: {
      readonly 200: Account
    }
  }
  /** The last ten sign-ins of an account, newest first, and the wrong passwords since the last verified one. */
  readonly 'GET /api/admin/users/{email}/sign-ins': {
    readonly params: {
      /** The email of an account, in lower case. */
      readonly email: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answers: {
      readonly 200: {
        /** Newest first. */
        readonly signIns: readonly SignInRecord[]
        readonly failed: FailedSignIns
      }
    }
  }
  /** Change email, display name, groups or password. A new password ends all sign-ins of the account. Sanctions follow a new email. */
  readonly 'PUT /api/admin/users/{email}': {
    readonly params: {
      /** The email of an account, in lower case. */
      readonly email: string
    }
    readonly query: undefined
    readonly body: {
      /** The new address of the account. */
      readonly email?: string
      /** The name that other players see. */
      readonly displayName?: string
      /** Names of groups. */
      readonly groups?: readonly string[]
      /** 8 to 72 bytes of UTF-8. */
      readonly password?: string
      /** Allows a display name that another account has, but never a reserved one. */
      readonly force?: boolean
    }
    readonly answers: {
      readonly 200: Account
    }
  }
  /** Delete an account, its tokens and its live session. */
  readonly 'DELETE /api/admin/users/{email}': {
    readonly params: {
      /** The email of an account, in lower case. */
      readonly email: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answers: {
      readonly 204: undefined
    }
  }
  /** Merge this account into another and delete it. Groups, grants, zones and active sanctions go to the other account. Its password stays; without one it gets that of this account. Sign-ins and API tokens of this account end. Positions and data of modules are not moved. All audit entries have one `requestId`. If the server stops in between, send the same request again. Sanctions need `admin.sanctions.write`, zones `admin.instances.write` too. */
  readonly 'POST /api/admin/users/{email}/merge': {
    readonly params: {
      /** The email of an account, in lower case. */
      readonly email: string
    }
    readonly query: undefined
    readonly body: {
      /** The email of the account that remains. */
      readonly into: string
      /** Only reports what would happen. Nothing is written. */
      readonly dryRun?: boolean
    }
    readonly answers: {
      readonly 200: {
        readonly into: Account
        /** Groups that the remaining account gets. */
        readonly addedGroups: readonly string[]
        /** Grants that the remaining account gets. */
        readonly addedGrants: number
        /** Whether the remaining account gets the password of the other, because it has none. */
        readonly movesPassword: boolean
        /** Active sanctions of the other account that the remaining account gets too. */
        readonly sanctions: readonly Sanction[]
        /** Zones whose owner or member changes. */
        readonly zones: readonly {
          /** The id. */
          readonly id: string
          /** The name. */
          readonly name: string
        }[]
        /** API tokens of the other account that end. */
        readonly apiTokens: number
      }
    }
  }
  /** Give an account a group or one permission: permanently or until a time, everywhere or in a world or a zone. */
  readonly 'POST /api/admin/users/{email}/grants': {
    readonly params: {
      /** The email of an account, in lower case. */
      readonly email: string
    }
    readonly query: undefined
    readonly body: {
      /** The name of a group. */
      readonly group?: string
      /** a lower-case dotted name, the last part of which may be * */
      readonly permission?: string
      /** Counts only at places in this world. */
      readonly world?: string
      /** Counts only at places in this zone. */
      readonly zone?: string
      /** The end. */
      readonly until?: string
      /** The reason, for people. */
      readonly reason?: string
    }
    readonly answers: {
      readonly 201: Grant
    }
  }
  /** Remove a grant from an account. Applies in every process and session within a second. */
  readonly 'DELETE /api/admin/users/{email}/grants/{id}': {
    readonly params: {
      /** The email of an account, in lower case. */
      readonly email: string
      /** The id. */
      readonly id: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answers: {
      readonly 204: undefined
    }
  }
  /** Create a code that sets a new password of the account once, within a day. Only this answer shows it. */
  readonly 'POST /api/admin/users/{email}/reset-link': {
    readonly params: {
      /** The email of an account, in lower case. */
      readonly email: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answers: {
      readonly 201: {
        /** For `POST /auth/reset`. */
        readonly code: string
        /** The end. */
        readonly until: string
      }
    }
  }
  /** Unused invitations, newest first, without their codes. */
  readonly 'GET /api/admin/invitations': {
    readonly params: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answers: {
      readonly 200: {
        /** Newest first. */
        readonly invitations: readonly Invitation[]
      }
    }
  }
  /** Create an invitation code for one account, valid for a week by default. Only this answer shows it. */
  readonly 'POST /api/admin/invitations': {
    readonly params: undefined
    readonly query: undefined
    readonly body: {
      /** Names of groups. */
      readonly groups?: readonly string[]
      /** A note for admins; the invited person does not see it. */
      readonly note?: string
      /** The end. */
      readonly until?: string
    }
    readonly answers: {
      readonly 201: {
        /** The id. */
        readonly id: string
        /** Groups of the new account; absent: the default groups. */
        readonly groups?: readonly string[]
        /** A note for admins; the invited person does not see it. */
        readonly note?: string
        /** The email of the inviter. */
        readonly by: string
        /** When it happened. */
        readonly at: string
        /** The end. */
        readonly until: string
        /** For `invitation` of `POST /auth/register`. */
        readonly code: string
      }
    }
  }
  /** Revoke an invitation. An account that was created with it stays. */
  readonly 'DELETE /api/admin/invitations/{id}': {
    readonly params: {
      /** The id. */
      readonly id: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answers: {
      readonly 204: undefined
    }
  }
  /** The active groups, `admin` first, with their rules before and after inheritance. */
  readonly 'GET /api/admin/groups': {
    readonly params: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answers: {
      readonly 200: {
        /** Names of groups. */
        readonly groups: readonly Group[]
        /** The groups of new accounts. */
        readonly defaultGroups: readonly string[]
      }
    }
  }
  /** The changes by admins with their actor and time, newest first. Filters combine. A search reads at most 2,000 entries at once, so a page may be short or empty and still have a cursor. Two filters count as a search. Long values are cut: `GET /api/admin/audit/{id}` returns them whole. */
  readonly 'GET /api/admin/audit': {
    readonly params: undefined
    readonly query: {
      /** The size of a page. Default: 50. */
      readonly limit?: number
      /** The `nextCursor` of the previous page. */
      readonly cursor?: string
      /** Words in any order and letter case. Each occurs in the actor, the action, the target, or the name or kind of the changed object. */
      readonly q?: string
      /** The email of the author; `operator` for the command line. */
      readonly actor?: string
      /** The changed object, such as the email of an account. */
      readonly target?: string
      /** The `X-Request-Id` of the request. */
      readonly requestId?: string
      /** Only entries at or after this time. */
      readonly from?: string
      /** Only entries at or before this time. */
      readonly to?: string
    }
    readonly body: undefined
    readonly answers: {
      readonly 200: {
        /** Newest first. */
        readonly entries: readonly AuditEntry[]
        /** The `cursor` of the next page; absent on the last one. */
        readonly nextCursor?: string
      }
    }
  }
  /** Why an account may or may not do something: every check, and the rule that decides. Give a permission or a command. */
  readonly 'GET /api/admin/explain': {
    readonly params: undefined
    readonly query: {
      /** The email of an account, in lower case. */
      readonly email: string
      /** The name of a permission. */
      readonly permission?: string
      /** The name of the command, with or without the slash. Commands of modules on a running node work too. */
      readonly command?: string
      /** The name of a world. */
      readonly world?: string
      /** The x coordinate, in blocks. */
      readonly x?: number
      /** The height, in blocks. */
      readonly y?: number
      /** The z coordinate, in blocks. */
      readonly z?: number
      /** A block type of blocks.yaml. With it and x, y and z, each module says whether it allows that edit. */
      readonly type?: string
      /** Explains a verified sign-in, unless false. */
      readonly verified?: boolean
    }
    readonly body: undefined
    readonly answers: {
      readonly 200: Explanation
    }
  }
  /** The API tokens of all accounts, oldest first, or those of one account. Their secrets are never shown. */
  readonly 'GET /api/admin/tokens': {
    readonly params: undefined
    readonly query: {
      /** The email of an account, in lower case. */
      readonly email?: string
    }
    readonly body: undefined
    readonly answers: {
      readonly 200: {
        /** Oldest first. */
        readonly tokens: readonly OwnedApiToken[]
      }
    }
  }
  /** Delete an API token of any account. Connections that it opened are closed. */
  readonly 'DELETE /api/admin/tokens/{id}': {
    readonly params: {
      /** The id. */
      readonly id: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answers: {
      readonly 204: undefined
    }
  }
  /** Bans, mutes and warnings, newest first. Filters combine. `active` selects those that apply now. */
  readonly 'GET /api/admin/sanctions': {
    readonly params: undefined
    readonly query: {
      /** The size of a page. Default: 50. */
      readonly limit?: number
      /** The `nextCursor` of the previous page. */
      readonly cursor?: string
      /** The email of an account, in lower case. */
      readonly email?: string
      readonly kind?: SanctionKind
      /** True selects those that apply now, false the others. */
      readonly active?: boolean
    }
    readonly body: undefined
    readonly answers: {
      readonly 200: {
        /** Newest first. */
        readonly sanctions: readonly Sanction[]
        /** Display names by email, for the accounts in this answer. */
        readonly names: { readonly [name: string]: string }
        /** The `cursor` of the next page; absent on the last one. */
        readonly nextCursor?: string
      }
    }
  }
  /** Ban, mute or warn an account or an email without one, or ban addresses. Applies in every process and session within a second. */
  readonly 'POST /api/admin/sanctions': {
    readonly params: undefined
    readonly query: undefined
    readonly body: {
      readonly kind: SanctionKind
      /** The email of an account, or one without an account yet. Otherwise give `address`. */
      readonly email?: string
      /** An IP address or a CIDR, at most /16 wide, or /32 for IPv6. Only for bans. One IPv6 address means its /64. */
      readonly address?: string
      /** The reason, for people. */
      readonly reason: string
      /** A note for admins. Players do not see it. */
      readonly note?: string
      /** A time in the future. A ban without it needs `admin.sanctions.forever`. */
      readonly until?: string
    }
    readonly answers: {
      readonly 201: Sanction
    }
  }
  /** End a sanction. One that has already ended does not change. */
  readonly 'DELETE /api/admin/sanctions/{id}': {
    readonly params: {
      /** The id. */
      readonly id: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answers: {
      readonly 200: Sanction
    }
  }
  /** Reports of players, newest first, with their last chat lines and the place. */
  readonly 'GET /api/admin/reports': {
    readonly params: undefined
    readonly query: {
      /** The size of a page. Default: 50. */
      readonly limit?: number
      /** The `nextCursor` of the previous page. */
      readonly cursor?: string
      readonly state?: ReportState
    }
    readonly body: undefined
    readonly answers: {
      readonly 200: {
        /** Newest first. */
        readonly reports: readonly Report[]
        /** Display names by email, for the accounts in this answer. */
        readonly names: { readonly [name: string]: string }
        /** The `cursor` of the next page; absent on the last one. */
        readonly nextCursor?: string
      }
    }
  }
  /** Close or reopen a report, with a note for the staff. */
  readonly 'PUT /api/admin/reports/{id}': {
    readonly params: {
      /** The id. */
      readonly id: string
    }
    readonly query: undefined
    readonly body: {
      readonly state: ReportState
      /** A note for admins. Players do not see it. */
      readonly note?: string
    }
    readonly answers: {
      readonly 200: Report
    }
  }
  /** Lines of public chat, newest first, for as long as `chat.keepDays` keeps them. Private messages are not stored. Filters combine. A page may have fewer lines than its limit and still have a cursor. Lines appear up to ten seconds after they were sent. */
  readonly 'GET /api/admin/chat': {
    readonly params: undefined
    readonly query: {
      /** The size of a page. Default: 50. */
      readonly limit?: number
      /** The `nextCursor` of the previous page. */
      readonly cursor?: string
      /** A part of the text. Upper and lower case are the same. */
      readonly q?: string
      /** The author: a playerId, the email of an account, or the whole display name at that time. */
      readonly player?: string
      /** The name of a world. */
      readonly world?: string
      /** Only lines at or after this time. */
      readonly from?: string
      /** Only lines at or before this time. */
      readonly to?: string
    }
    readonly body: undefined
    readonly answers: {
      readonly 200: {
        /** Newest first. */
        readonly lines: readonly {
          /** When it happened. */
          readonly at: string
          /** The world of the author. Players of all worlds see public chat. */
          readonly world: string
          /** The chat channel. */
          readonly channel: string
          /** The display name of the author at that time. */
          readonly from: string
          /** The text. */
          readonly text: string
          /** The playerId of the author. Absent for lines of the server. */
          readonly by?: string
        }[]
        /** How many days lines are kept; 0 if none are stored. */
        readonly keepDays: number
        /** The `cursor` of the next page; absent on the last one. */
        readonly nextCursor?: string
      }
    }
  }
  /** The connected players of all nodes and where they are, at most a second old, by display name. */
  readonly 'GET /api/admin/players': {
    readonly params: undefined
    readonly query: {
      /** The size of a page. Default: 50. */
      readonly limit?: number
      /** The `nextCursor` of the previous page. */
      readonly cursor?: string
      /** The name of a world. */
      readonly world?: string
    }
    readonly body: undefined
    readonly answers: {
      readonly 200: {
        /** By display name. */
        readonly players: readonly Player[]
        /** The `cursor` of the next page; absent on the last one. */
        readonly nextCursor?: string
      }
    }
  }
  /** End the session of a player on any node; they may sign in again. */
  readonly 'POST /api/admin/players/{playerId}/kick': {
    readonly params: {
      /** The id of the player. It never changes. */
      readonly playerId: string
    }
    readonly query: undefined
    readonly body: {
      /** One line. */
      readonly reason?: string
    }
    readonly answers: {
      readonly 204: undefined
    }
  }
  /** Show a line to one player on any node, after your name. No one else sees it. */
  readonly 'POST /api/admin/players/{playerId}/message': {
    readonly params: {
      /** The id of the player. It never changes. */
      readonly playerId: string
    }
    readonly query: undefined
    readonly body: {
      /** One line. */
      readonly text: string
    }
    readonly answers: {
      readonly 204: undefined
    }
  }
  /** Teleport a player to an exact place in their world, or to another player there. */
  readonly 'POST /api/admin/players/{playerId}/teleport': {
    readonly params: {
      /** The id of the player. It never changes. */
      readonly playerId: string
    }
    readonly query: undefined
    readonly body: TeleportPlace | TeleportToPlayer
    readonly answers: {
      readonly 204: undefined
    }
  }
  /** Show a notice to every connected player on every node, or only to the players in one world or one zone. A grant for that place is enough. */
  readonly 'POST /api/admin/announcements': {
    readonly params: undefined
    readonly query: undefined
    readonly body: {
      /** One line. */
      readonly text: string
      /** Only for players in this world. */
      readonly world?: string
      /** Only for players inside the bounds of this zone, enabled or not. */
      readonly zone?: string
    }
    readonly answers: {
      readonly 204: undefined
    }
  }
  /** The load of each real-time node: ten minutes in steps of five seconds, or a day in steps of two minutes. */
  readonly 'GET /api/admin/metrics': {
    readonly params: undefined
    readonly query: {
      /** `minutes`: the last ten minutes, the default. `day`: the last 24 hours of the world that the node runs, also before its start. */
      readonly span?: "minutes" | "day"
    }
    readonly body: undefined
    readonly answers: {
      readonly 200: {
        /** The length of a step: 5 or 120 seconds. */
        readonly stepSeconds: number
        /** The nodes. */
        readonly nodes: readonly NodeMetrics[]
      }
    }
  }
  /** The version of the server and when its process started. */
  readonly 'GET /api/admin/server': {
    readonly params: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answers: {
      readonly 200: {
        /** The version of Gatehouse. */
        readonly version: string
        /** When the process that answers started. */
        readonly startedAt: string
      }
    }
  }
  /** The modules of all nodes by name, at most a second old: state, time per tick, faults and what they declare. */
  readonly 'GET /api/admin/modules': {
    readonly params: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answers: {
      readonly 200: {
        /** By name. */
        readonly modules: readonly {
          /** The name. */
          readonly name: string
          /** Empty if the module has none. */
          readonly version: string
          /** The version of the module interface. */
          readonly api: number
          /** `running`; `slowed`: it runs in every second or fourth tick; `off`: switched off by faults, its time or an admin; `failed`: it did not load; `disabled` in `modules.yaml`. */
          readonly state: "running" | "disabled" | "slowed" | "off" | "failed"
          /** Why it is `slowed` or `off`. */
          readonly reason?: string
          /** Whether the server does not start without it. */
          readonly required: boolean
          /** The last fault. */
          readonly fault?: {
            /** When it happened. */
            readonly at: string
            /** The id of the fault in the log. */
            readonly id: string
            /** What is wrong, for people. */
            readonly message: string
            /** The handler that failed, such as `on.joined`. */
            readonly handler?: string
            /** Relative to the modules folder. */
            readonly file?: string
            /** The line of the text, counted from 1. */
            readonly line?: number
            /** The column of the text, counted from 1. */
            readonly column?: number
          }
          /** The average time per tick of the last second, in milliseconds; 0 if it does not run. */
          readonly msPerTick: number
          /** The handlers with the most time in the last minute, the slowest first. */
          readonly handlers: readonly {
            /** Its place in the definition of the module, such as `on.tick`. */
            readonly handler: string
            /** The number of its calls. */
            readonly calls: number
            /** The average time of a call, in milliseconds. */
            readonly msPerCall: number
            /** The time of its longest call, in milliseconds. */
            readonly longestMs: number
          }[]
          /** The number of faults since it was loaded. */
          readonly faults: number
          /** The number of stored values that its schemas could not read when it was loaded, and since then. */
          readonly setAside: number
          /** The number of its entities in the world. */
          readonly entities: number
          /** The names of its commands, as players enter them. */
          readonly commands: readonly string[]
          /** The messages that it receives. */
          readonly messages: readonly string[]
          /** The rules of the group itself. */
          readonly permissions: readonly string[]
        }[]
      }
    }
  }
  /** The JSON Schema of the settings of each running module. Their values are in `modules.yaml`. */
  readonly 'GET /api/admin/modules/settings': {
    readonly params: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answers: {
      readonly 200: {
        /** By the name of the module. A module without settings is not listed. */
        readonly schemas: { readonly [name: string]: { readonly [name: string]: unknown } }
      }
    }
  }
  /** Load a module again on all nodes, between two ticks. Players, data and state stay. A load that fails keeps the running version. */
  readonly 'POST /api/admin/modules/{name}/reload': {
    readonly params: {
      /** The name of a module. */
      readonly name: string
    }
    readonly query: undefined
    readonly body: {
      /** Load it even if the new version no longer has something. See `would-lose`. */
      readonly yes?: boolean
    }
    readonly answers: {
      readonly 200: {
        /** The name. */
        readonly name: string
        /** Empty if the module has none. */
        readonly version: string
        /** The version of the module interface. */
        readonly api: number
        /** `running`; `slowed`: it runs in every second or fourth tick; `off`: switched off by faults, its time or an admin; `failed`: it did not load; `disabled` in `modules.yaml`. */
        readonly state: "running" | "disabled" | "slowed" | "off" | "failed"
        /** Why it is `slowed` or `off`. */
        readonly reason?: string
        /** Whether the server does not start without it. */
        readonly required: boolean
        /** The last fault. */
        readonly fault?: {
          /** When it happened. */
          readonly at: string
          /** The id of the fault in the log. */
          readonly id: string
          /** What is wrong, for people. */
          readonly message: string
          /** The handler that failed, such as `on.joined`. */
          readonly handler?: string
          /** Relative to the modules folder. */
          readonly file?: string
          /** The line of the text, counted from 1. */
          readonly line?: number
          /** The column of the text, counted from 1. */
          readonly column?: number
        }
        /** The average time per tick of the last second, in milliseconds; 0 if it does not run. */
        readonly msPerTick: number
        /** The handlers with the most time in the last minute, the slowest first. */
        readonly handlers: readonly {
          /** Its place in the definition of the module, such as `on.tick`. */
          readonly handler: string
          /** The number of its calls. */
          readonly calls: number
          /** The average time of a call, in milliseconds. */
          readonly msPerCall: number
          /** The time of its longest call, in milliseconds. */
          readonly longestMs: number
        }[]
        /** The number of faults since it was loaded. */
        readonly faults: number
        /** The number of stored values that its schemas could not read when it was loaded, and since then. */
        readonly setAside: number
        /** The number of its entities in the world. */
        readonly entities: number
        /** The names of its commands, as players enter them. */
        readonly commands: readonly string[]
        /** The messages that it receives. */
        readonly messages: readonly string[]
        /** The rules of the group itself. */
        readonly permissions: readonly string[]
      }
    }
  }
  /** Start a module on all nodes, also one that is off because of faults. `modules.yaml` keeps it. */
  readonly 'POST /api/admin/modules/{name}/enable': {
    readonly params: {
      /** The name of a module. */
      readonly name: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answers: {
      readonly 200: {
        /** The name. */
        readonly name: string
        /** Empty if the module has none. */
        readonly version: string
        /** The version of the module interface. */
        readonly api: number
        /** `running`; `slowed`: it runs in every second or fourth tick; `off`: switched off by faults, its time or an admin; `failed`: it did not load; `disabled` in `modules.yaml`. */
        readonly state: "running" | "disabled" | "slowed" | "off" | "failed"
        /** Why it is `slowed` or `off`. */
        readonly reason?: string
        /** Whether the server does not start without it. */
        readonly required: boolean
        /** The last fault. */
        readonly fault?: {
          /** When it happened. */
          readonly at: string
          /** The id of the fault in the log. */
          readonly id: string
          /** What is wrong, for people. */
          readonly message: string
          /** The handler that failed, such as `on.joined`. */
          readonly handler?: string
          /** Relative to the modules folder. */
          readonly file?: string
          /** The line of the text, counted from 1. */
          readonly line?: number
          /** The column of the text, counted from 1. */
          readonly column?: number
        }
        /** The average time per tick of the last second, in milliseconds; 0 if it does not run. */
        readonly msPerTick: number
        /** The handlers with the most time in the last minute, the slowest first. */
        readonly handlers: readonly {
          /** Its place in the definition of the module, such as `on.tick`. */
          readonly handler: string
          /** The number of its calls. */
          readonly calls: number
          /** The average time of a call, in milliseconds. */
          readonly msPerCall: number
          /** The time of its longest call, in milliseconds. */
          readonly longestMs: number
        }[]
        /** The number of faults since it was loaded. */
        readonly faults: number
        /** The number of stored values that its schemas could not read when it was loaded, and since then. */
        readonly setAside: number
        /** The number of its entities in the world. */
        readonly entities: number
        /** The names of its commands, as players enter them. */
        readonly commands: readonly string[]
        /** The messages that it receives. */
        readonly messages: readonly string[]
        /** The rules of the group itself. */
        readonly permissions: readonly string[]
      }
    }
  }
  /** End a module on all nodes. Its data stays. `modules.yaml` keeps it off. */
  readonly 'POST /api/admin/modules/{name}/disable': {
    readonly params: {
      /** The name of a module. */
      readonly name: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answers: {
      readonly 200: {
        /** The name. */
        readonly name: string
        /** Empty if the module has none. */
        readonly version: string
        /** The version of the module interface. */
        readonly api: number
        /** `running`; `slowed`: it runs in every second or fourth tick; `off`: switched off by faults, its time or an admin; `failed`: it did not load; `disabled` in `modules.yaml`. */
        readonly state: "running" | "disabled" | "slowed" | "off" | "failed"
        /** Why it is `slowed` or `off`. */
        readonly reason?: string
        /** Whether the server does not start without it. */
        readonly required: boolean
        /** The last fault. */
        readonly fault?: {
          /** When it happened. */
          readonly at: string
          /** The id of the fault in the log. */
          readonly id: string
          /** What is wrong, for people. */
          readonly message: string
          /** The handler that failed, such as `on.joined`. */
          readonly handler?: string
          /** Relative to the modules folder. */
          readonly file?: string
          /** The line of the text, counted from 1. */
          readonly line?: number
          /** The column of the text, counted from 1. */
          readonly column?: number
        }
        /** The average time per tick of the last second, in milliseconds; 0 if it does not run. */
        readonly msPerTick: number
        /** The handlers with the most time in the last minute, the slowest first. */
        readonly handlers: readonly {
          /** Its place in the definition of the module, such as `on.tick`. */
          readonly handler: string
          /** The number of its calls. */
          readonly calls: number
          /** The average time of a call, in milliseconds. */
          readonly msPerCall: number
          /** The time of its longest call, in milliseconds. */
          readonly longestMs: number
        }[]
        /** The number of faults since it was loaded. */
        readonly faults: number
        /** The number of stored values that its schemas could not read when it was loaded, and since then. */
        readonly setAside: number
        /** The number of its entities in the world. */
        readonly entities: number
        /** The names of its commands, as players enter them. */
        readonly commands: readonly string[]
        /** The messages that it receives. */
        readonly messages: readonly string[]
        /** The rules of the group itself. */
        readonly permissions: readonly string[]
      }
    }
  }
  /** The stored records of a module as they are stored, by kind and id, a page at a time. */
  readonly 'GET /api/admin/modules/{name}/records': {
    readonly params: {
      /** The name of a module. */
      readonly name: string
    }
    readonly query: {
      /** The size of a page. Default: 50. */
      readonly limit?: number
      /** The `nextCursor` of the previous page. */
      readonly cursor?: string
      /** A kind of records that the module declares. */
      readonly record?: string
      /** Only ids that begin with it. Needs `record`. */
      readonly prefix?: string
    }
    readonly body: undefined
    readonly answers: {
      readonly 200: {
        /** By kind and id. */
        readonly records: readonly {
          /** The kind of record. */
          readonly record: string
          /** The id. */
          readonly id: string
          /** Any JSON value that fits the declaration of the module, at most 64 KiB. */
          readonly value: unknown
          /** Changes with each write. It is the entity tag of the record. */
          readonly version: string
        }[]
        /** The `cursor` of the next page; absent on the last one. */
        readonly nextCursor?: string
      }
    }
  }
  /** Stored values that the schemas of a module could not read, with the reason, a page at a time. A load whose schema reads them restores them. */
  readonly 'GET /api/admin/modules/{name}/set-aside': {
    readonly params: {
      /** The name of a module. */
      readonly name: string
    }
    readonly query: {
      /** The size of a page. Default: 50. */
      readonly limit?: number
      /** The `nextCursor` of the previous page. */
      readonly cursor?: string
    }
    readonly body: undefined
    readonly answers: {
      readonly 200: {
        /** Data of players, then records and states of worlds, each by id. */
        readonly values: readonly {
          /** Whether it was the data of a player, a record, or the state of a world. */
          readonly of: "player" | "record" | "state"
          /** The kind of record. */
          readonly record?: string
          /** The playerId, the id of the record, or the id of the world. */
          readonly id: string
          /** When it was set aside. */
          readonly at: string
          /** Why it could not be read. */
          readonly fault: string
          /** The version of the declaration that the data is of. */
          readonly version: number
          /** The value as it was stored. */
          readonly value: unknown
        }[]
        /** The `cursor` of the next page; absent on the last one. */
        readonly nextCursor?: string
      }
    }
  }
  /** One stored record of a module, as it is stored. */
  readonly 'GET /api/admin/modules/{name}/records/{record}/{id}': {
    readonly params: {
      /** The name of a module. */
      readonly name: string
      /** A kind of records that the module declares. */
      readonly record: string
      /** The id of the record. It may have slashes. */
      readonly id: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answers: {
      readonly 200: {
        /** Any JSON value that fits the declaration of the module, at most 64 KiB. */
        readonly value: unknown
        /** The version of the declaration that the data is of. */
        readonly version: number
      }
    }
  }
  /** Write a record of a module. The running module checks it against its declaration. Can be undone from the audit log. */
  readonly 'PUT /api/admin/modules/{name}/records/{record}/{id}': {
    readonly params: {
      /** The name of a module. */
      readonly name: string
      /** A kind of records that the module declares. */
      readonly record: string
      /** The id of the record. It may have slashes. */
      readonly id: string
    }
    readonly query: undefined
    readonly body: {
      /** Any JSON value that fits the declaration of the module, at most 64 KiB. */
      readonly value: unknown
    }
    readonly answers: {
      readonly 200: {
        /** Any JSON value that fits the declaration of the module, at most 64 KiB. */
        readonly value: unknown
        /** The version of the declaration that the data is of. */
        readonly version: number
      }
    }
  }
  /** Delete a record of a module. Can be undone from the audit log. */
  readonly 'DELETE /api/admin/modules/{name}/records/{record}/{id}': {
    readonly params: {
      /** The name of a module. */
      readonly name: string
      /** A kind of records that the module declares. */
      readonly record: string
      /** The id of the record. It may have slashes. */
      readonly id: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answers: {
      readonly 204: undefined
    }
  }
  /** The data of a module for one player. For a connected player it is the current value, even if it is not stored yet. */
  readonly 'GET /api/admin/modules/{name}/players/{playerId}': {
    readonly params: {
      /** The name of a module. */
      readonly name: string
      /** The playerId of an account. */
      readonly playerId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answers: {
      readonly 200: {
        /** Any JSON value that fits the declaration of the module, at most 64 KiB. */
        readonly data: unknown
        /** The version of the declaration that the data is of. */
        readonly version: number
      }
    }
  }
  /** Replace the data of a module for one player. A connected player has it at once. The running module checks it. Can be undone from the audit log. */
  readonly 'PUT /api/admin/modules/{name}/players/{playerId}': {
    readonly params: {
      /** The name of a module. */
      readonly name: string
      /** The playerId of an account. */
      readonly playerId: string
    }
    readonly query: undefined
    readonly body: {
      /** Any JSON value that fits the declaration of the module, at most 64 KiB. */
      readonly data: unknown
    }
    readonly answers: {
      readonly 200: {
        /** Any JSON value that fits the declaration of the module, at most 64 KiB. */
        readonly data: unknown
        /** The version of the declaration that the data is of. */
        readonly version: number
      }
    }
  }
  /** Delete the data of a module for one player. A connected player has the defaults at once. Can be undone from the audit log. */
  readonly 'DELETE /api/admin/modules/{name}/players/{playerId}': {
    readonly params: {
      /** The name of a module. */
      readonly name: string
      /** The playerId of an account. */
      readonly playerId: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answers: {
      readonly 204: undefined
    }
  }
  /** Send a message to a module and get its reply: for messages that the module declares with `http: true`. The module sees the caller as a player without a place. */
  readonly 'POST /api/modules/{name}/{message}': {
    readonly params: {
      /** The name of a module. */
      readonly name: string
      /** A message that the module declares with `http: true`. */
      readonly message: string
    }
    readonly query: {
      /** The world whose node handles it. By default the active world. */
      readonly world?: string
    }
    readonly body: unknown
    readonly answers: {
      readonly 200: unknown
      readonly 204: undefined
    }
  }
  /** One entry of the audit log. */
  readonly 'GET /api/admin/audit/{id}': {
    readonly params: {
      /** The id. */
      readonly id: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answers: {
      readonly 200: AuditEntry
    }
  }
  /** Undo the write of an audit entry. Needs the permission of that write. `dryRun=true` only reports what it would restore. */
  readonly 'POST /api/admin/audit/{id}/undo': {
    readonly params: {
      /** The id. */
      readonly id: string
    }
    readonly query: {
      /** Only reports what would happen. Nothing is written. */
      readonly dryRun?: boolean
      /** Allows a display name that another account has, but never a reserved one. */
      readonly force?: boolean
    }
    readonly body: undefined
    readonly answers: {
      readonly 200: Undone | UndoDryRun
    }
  }
  /** Work that takes longer than a request, newest first, with its progress. */
  readonly 'GET /api/admin/jobs': {
    readonly params: undefined
    readonly query: {
      /** The size of a page. Default: 50. */
      readonly limit?: number
      /** The `nextCursor` of the previous page. */
      readonly cursor?: string
    }
    readonly body: undefined
    readonly answers: {
      readonly 200: {
        /** Newest first. */
        readonly jobs: readonly Job[]
        /** The `cursor` of the next page; absent on the last one. */
        readonly nextCursor?: string
      }
    }
  }
  /** One job: its state, progress and result. Needs admin.jobs.read, except for your own rollbacks. */
  readonly 'GET /api/admin/jobs/{id}': {
    readonly params: {
      /** The id. */
      readonly id: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answers: {
      readonly 200: Job
    }
  }
  /** Cancel a job. A running one stops within a second or two and keeps what it has done so far. One that has ended does not change. Needs the permission that started it, except for your own rollbacks. */
  readonly 'DELETE /api/admin/jobs/{id}': {
    readonly params: {
      /** The id. */
      readonly id: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answers: {
      readonly 204: undefined
    }
  }
  /** The backups of the data folder, newest first. */
  readonly 'GET /api/admin/backups': {
    readonly params: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answers: {
      readonly 200: {
        /** Newest first. */
        readonly backups: readonly Backup[]
      }
    }
  }
  /** Start a job that copies the whole data folder as of one moment and verifies every record of the copy. */
  readonly 'POST /api/admin/backups': {
    readonly params: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answers: {
      readonly 202: BackupJob
    }
  }
  /** A backup as a compressed archive (.tar.gz), streamed while it is read. Needs every permission. To restore it, unpack it into the backup folder of a server. */
  readonly 'GET /api/admin/backups/{id}/download': {
    readonly params: {
      /** Ids sort by time. */
      readonly id: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answers: {
      readonly 200: string
    }
  }
  /** Start a job that verifies every record of a backup. */
  readonly 'POST /api/admin/backups/{id}/verify': {
    readonly params: {
      /** Ids sort by time. */
      readonly id: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answers: {
      readonly 202: BackupVerifyJob
    }
  }
  /** Delete a backup. It cannot be restored afterwards. */
  readonly 'DELETE /api/admin/backups/{id}': {
    readonly params: {
      /** Ids sort by time. */
      readonly id: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answers: {
      readonly 204: undefined
    }
  }
  /** Every world, the active one first, then by name. */
  readonly 'GET /api/admin/worlds': {
    readonly params: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answers: {
      readonly 200: readonly World[]
    }
  }
  /** Add a world with the current `worldgen.yaml`. Without a seed it gets a random one. */
  readonly 'POST /api/admin/worlds': {
    readonly params: undefined
    readonly query: undefined
    readonly body: {
      /** The name. */
      readonly name: string
      /** The seed of the terrain. */
      readonly seed?: number | string
    }
    readonly answers: {
      readonly 201: World
    }
  }
  /** Rename a world that no node runs, with its zones, history, grants and the positions of players. */
  readonly 'PUT /api/admin/worlds/{world}': {
    readonly params: {
      /** The name of a world. */
      readonly world: string
    }
    readonly query: undefined
    readonly body: {
      /** The name. */
      readonly name: string
    }
    readonly answers: {
      readonly 200: World
    }
  }
  /** Move a world that no node runs into the trash folder of the data folder, and delete its zones. */
  readonly 'DELETE /api/admin/worlds/{world}': {
    readonly params: {
      /** The name of a world. */
      readonly world: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answers: {
      readonly 200: {
        /** Its folder in the data folder. To restore the world, use `npm run world -- import` with it. Absent if this finished a permanent deletion. */
        readonly trash?: string
        /** Deleted zones. */
        readonly zones: number
        /** Accounts with grants for this world. The grants stay. */
        readonly accounts: number
      }
    }
  }
  /** Restore a deleted world from the trash folder under this name, with its history and the positions of players. Its zones return by undoing their deletion. */
  readonly 'POST /api/admin/worlds/{world}/restore': {
    readonly params: {
      /** The name of a world. */
      readonly world: string
    }
    readonly query: undefined
    readonly body: {
      /** The folder that the deletion reported. */
      readonly trash: string
    }
    readonly answers: {
      readonly 200: World
    }
  }
  /** A world as one file for `npm run world -- import`, streamed while it is read. A damaged column cuts the file off, and an import refuses such a file. */
  readonly 'GET /api/admin/worlds/{world}/export': {
    readonly params: {
      /** The name of a world. */
      readonly world: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answers: {
      readonly 200: string
    }
  }
  /** Upload an exported world, and start a job that makes a new world of this name from it. The world appears when the whole file is verified. A broken upload leaves nothing. */
  readonly 'POST /api/admin/worlds/{world}/import': {
    readonly params: {
      /** The name of a world. */
      readonly world: string
    }
    readonly query: undefined
    readonly body: string
    readonly answers: {
      readonly 202: ImportWorldJob
    }
  }
  /** Start a job that generates the columns around column 0,0. The node of the world runs it next to the game. */
  readonly 'POST /api/admin/worlds/{world}/pregen': {
    readonly params: {
      /** The name of a world. */
      readonly world: string
    }
    readonly query: undefined
    readonly body: {
      /** Columns to each side of column 0,0. */
      readonly radius: number
    }
    readonly answers: {
      readonly 202: PregenJob
    }
  }
  /** The block changes of a world with their players, newest first: in a box with its edges included, in a zone, or anywhere. A page may have fewer changes than its limit and still have a cursor. Needs admin.history.read, or zone.history in your own zone. */
  readonly 'GET /api/admin/worlds/{world}/history': {
    readonly params: {
      /** The name of a world. */
      readonly world: string
    }
    readonly query: {
      /** The first block in x, included. */
      readonly minX?: number
      /** The lowest block, included. */
      readonly minY?: number
      /** The first block in z, included. */
      readonly minZ?: number
      /** The last block in x, included. */
      readonly maxX?: number
      /** The highest block, included. */
      readonly maxY?: number
      /** The last block in z, included. */
      readonly maxZ?: number
      /** Only changes in this zone. Not with a box. */
      readonly zone?: string
      /** A playerId. */
      readonly by?: string
      /** Only changes that this module made. */
      readonly module?: string
      /** Only changes at or after this time. */
      readonly since?: string
      /** The end. */
      readonly until?: string
      /** The size of a page. Default: 50. */
      readonly limit?: number
      /** The `nextCursor` of the previous page. */
      readonly cursor?: string
    }
    readonly body: undefined
    readonly answers: {
      readonly 200: {
        /** The changes of blocks. */
        readonly changes: readonly BlockChange[]
        /** The `cursor` of the next page; absent on the last one. */
        readonly nextCursor?: string
      }
    }
  }
  /** Start a job that rolls back changes of blocks in a box, in a zone, by a player or by a module. The node of the world runs it, and players see it. Skips blocks that someone else has changed since. With `dryRun` it only counts. Needs admin.history.write, or zone.history in your own zone. */
  readonly 'POST /api/admin/worlds/{world}/rollback': {
    readonly params: {
      /** The name of a world. */
      readonly world: string
    }
    readonly query: undefined
    readonly body: {
      readonly box?: BlockBox
      /** The blocks of this zone. Not with a box. */
      readonly zone?: string
      /** A playerId. */
      readonly by?: string
      /** Only changes that this module made. */
      readonly module?: string
      /** Only changes at or after this time. */
      readonly since: string
      /** The end. */
      readonly until?: string
      /** Only counts, and changes nothing. */
      readonly dryRun?: boolean
    }
    readonly answers: {
      readonly 200: RollbackCounts
      readonly 202: RollbackJob
    }
  }
  /** The generated columns of a world, the active one by default: all, or those of a box with its four edges included. */
  readonly 'GET /api/admin/chunks/discovered': {
    readonly params: undefined
    readonly query: {
      /** The name of a world. */
      readonly world?: string
      /** The first column in x, included. */
      readonly minCx?: number
      /** The last column in x, included. */
      readonly maxCx?: number
      /** The first column in z, included. */
      readonly minCz?: number
      /** The last column in z, included. */
      readonly maxCz?: number
    }
    readonly body: undefined
    readonly answers: {
      readonly 200: readonly Column[]
    }
  }
  /** A tile of the map as PNG. At zoom 0 a pixel is a block, and each further zoom halves the size. */
  readonly 'GET /api/admin/worlds/{world}/map/{zoom}/{tx}/{tile}': {
    readonly params: {
      /** The name of a world. */
      readonly world: string
      /** How often the size is halved. */
      readonly zoom: number
      /** The tile in x. */
      readonly tx: number
      /** `{tz}.png` */
      readonly tile: string
    }
    readonly query: {
      /** Draws nothing above this height. */
      readonly y?: number
    }
    readonly body: undefined
    readonly answers: {
      readonly 200: string
      readonly 204: undefined
    }
  }
  /** Every zone, or those of one world, oldest first. */
  readonly 'GET /api/admin/instances': {
    readonly params: undefined
    readonly query: {
      /** The name of a world. */
      readonly world?: string
    }
    readonly body: undefined
    readonly answers: {
      readonly 200: readonly Zone[]
    }
  }
  /** Add a zone over generated columns of a world, the active one by default. It protects them from the next tick on. */
  readonly 'POST /api/admin/instances': {
    readonly params: undefined
    readonly query: undefined
    readonly body: {
      /** Trimmed: 1 to 64 visible characters. */
      readonly name: string
      /** The lowest height, included; below `yMax`. */
      readonly yMin: number
      /** The highest height, included. */
      readonly yMax: number
      /** The columns, each once. All of them must be generated. */
      readonly chunks: readonly Column[]
      /** The name of a world. */
      readonly world?: string
    }
    readonly answers: {
      readonly 201: Zone
    }
  }
  /** One zone, with its entity tag. */
  readonly 'GET /api/admin/instances/{id}': {
    readonly params: {
      /** The id. */
      readonly id: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answers: {
      readonly 200: Zone
    }
  }
  /** Change the name of a zone, its owner, or both. */
  readonly 'PUT /api/admin/instances/{id}': {
    readonly params: {
      /** The id. */
      readonly id: string
    }
    readonly query: undefined
    readonly body: {
      /** Trimmed: 1 to 64 visible characters. */
      readonly name?: string
      /** The playerId of the account that owns the zone. */
      readonly owner?: string
    }
    readonly answers: {
      readonly 200: Zone
    }
  }
  /** Delete a zone. Its blocks stay and are no longer protected. */
  readonly 'DELETE /api/admin/instances/{id}': {
    readonly params: {
      /** The id. */
      readonly id: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answers: {
      readonly 204: undefined
    }
  }
  /** Change the floor and the top of a zone. */
  readonly 'PUT /api/admin/instances/{id}/bounds': {
    readonly params: {
      /** The id. */
      readonly id: string
    }
    readonly query: undefined
    readonly body: {
      /** The lowest height, included; below `yMax`. */
      readonly yMin: number
      /** The highest height, included. */
      readonly yMax: number
    }
    readonly answers: {
      readonly 200: Zone
    }
  }
  /** Replace the columns of a zone. */
  readonly 'PUT /api/admin/instances/{id}/chunks': {
    readonly params: {
      /** The id. */
      readonly id: string
    }
    readonly query: undefined
    readonly body: {
      /** The columns, each once. All of them must be generated. */
      readonly chunks: readonly Column[]
    }
    readonly answers: {
      readonly 200: Zone
    }
  }
  /** Enable or disable a zone for players. */
  readonly 'PUT /api/admin/instances/{id}/enabled': {
    readonly params: {
      /** The id. */
      readonly id: string
    }
    readonly query: undefined
    readonly body: {
      /** Whether it has an effect. */
      readonly enabled: boolean
    }
    readonly answers: {
      readonly 200: Zone
    }
  }
  /** Store the clip planes and palettes of the editor. The game does not change. */
  readonly 'PUT /api/admin/instances/{id}/layout': {
    readonly params: {
      /** The id. */
      readonly id: string
    }
    readonly query: undefined
    readonly body: {
      readonly clipPlanes: ClipPlanes
      readonly shortcutBarPages: ShortcutBarPages
    }
    readonly answers: {
      readonly 200: Zone
    }
  }
  /** Replace the rules for building in a zone and entering it. Needs admin.instances.write, or zone.own in your own zone. */
  readonly 'PUT /api/admin/instances/{id}/rules': {
    readonly params: {
      /** The id. */
      readonly id: string
    }
    readonly query: undefined
    readonly body: {
      /** The players who may build. */
      readonly build?: "permission" | "members" | "everyone" | "nobody"
      /** The players who may enter. */
      readonly enter?: "everyone" | "members"
      /** Shown to players who enter. */
      readonly greeting?: string
      /** Shown to players who leave. */
      readonly farewell?: string
    }
    readonly answers: {
      readonly 200: Zone
    }
  }
  /** Replace the members of a zone. Needs admin.instances.write, or zone.own in your own zone. */
  readonly 'PUT /api/admin/instances/{id}/members': {
    readonly params: {
      /** The id. */
      readonly id: string
    }
    readonly query: undefined
    readonly body: readonly string[]
    readonly answers: {
      readonly 200: Zone
    }
  }
  /** Replace the schedule of a zone: when it is active, when it is deleted, and how often its blocks are restored from a snapshot. */
  readonly 'PUT /api/admin/instances/{id}/schedule': {
    readonly params: {
      /** The id. */
      readonly id: string
    }
    readonly query: undefined
    readonly body: ZoneSchedule
    readonly answers: {
      readonly 200: Zone
    }
  }
  /** The snapshots of a zone, newest first. */
  readonly 'GET /api/admin/instances/{id}/snapshots': {
    readonly params: {
      /** The id. */
      readonly id: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answers: {
      readonly 200: readonly ZoneSnapshot[]
    }
  }
  /** Store the blocks of a zone as they are at one moment of the game. Returns 202 with the job if that takes more than some seconds, or if no node runs the world: the next one takes the snapshot. */
  readonly 'POST /api/admin/instances/{id}/snapshots': {
    readonly params: {
      /** The id. */
      readonly id: string
    }
    readonly query: undefined
    readonly body: {
      /** Trimmed: 1 to 64 visible characters. */
      readonly name: string
    }
    readonly answers: {
      readonly 201: ZoneSnapshot
      readonly 202: SnapshotJob
    }
  }
  /** Delete a snapshot of a zone. */
  readonly 'DELETE /api/admin/instances/{id}/snapshots/{snapshot}': {
    readonly params: {
      /** The id. */
      readonly id: string
      /** The id of a snapshot of the zone. */
      readonly snapshot: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answers: {
      readonly 204: undefined
    }
  }
  /** Start a job that restores the blocks of a zone from a snapshot, within the current bounds of the zone. The node of the world runs it, and players see it. With `dryRun` it only counts, in stored data. */
  readonly 'POST /api/admin/instances/{id}/snapshots/{snapshot}/restore': {
    readonly params: {
      /** The id. */
      readonly id: string
      /** The id of a snapshot of the zone. */
      readonly snapshot: string
    }
    readonly query: {
      /** Only reports what would happen. Nothing is written. */
      readonly dryRun?: boolean
    }
    readonly body: undefined
    readonly answers: {
      readonly 200: {
        /** A number of blocks. */
        readonly blocks: number
      }
      readonly 202: RestoreJob
    }
  }
  /** The blocks of a zone, or of one of its columns. A column outside the zone has none. */
  readonly 'GET /api/admin/instances/{id}/blocks': {
    readonly params: {
      /** The id. */
      readonly id: string
    }
    readonly query: {
      /** The column: `floor(x / 16)`. */
      readonly cx?: number
      /** The column: `floor(z / 16)`. */
      readonly cz?: number
    }
    readonly body: undefined
    readonly answers: {
      readonly 200: string
    }
  }
  /** The active kinds of blocks, in the order of `blocks.yaml`. `air` always exists and is not listed. */
  readonly 'GET /api/admin/blocks': {
    readonly params: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answers: {
      readonly 200: readonly BlockKind[]
    }
  }
  /** The names of the config files, sorted. */
  readonly 'GET /api/admin/configs': {
    readonly params: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answers: {
      readonly 200: readonly string[]
    }
  }
  /** The config files with their purpose, the author of the text, and whether the values differ from the default. */
  readonly 'GET /api/admin/config-files': {
    readonly params: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answers: {
      readonly 200: readonly ListedConfig[]
    }
  }
  /** The text of a config file with its comments. A file that is not in the data folder returns the bundled default. */
  readonly 'GET /api/admin/configs/{name}': {
    readonly params: {
      /** Name of a config file, with its slashes. `%2F` works as a slash too. */
      readonly name: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answers: {
      readonly 200: string
    }
  }
  /** Check a config text and save it. With `dryRun=true`, only report the changes, the affected accounts, and how the changes apply. */
  readonly 'PUT /api/admin/configs/{name}': {
    readonly params: {
      /** Name of a config file, with its slashes. `%2F` works as a slash too. */
      readonly name: string
    }
    readonly query: {
      /** Only reports what would happen. Nothing is written. */
      readonly dryRun?: boolean
    }
    readonly body: string
    readonly answers: {
      readonly 200: SavedConfig | ConfigDryRun
    }
  }
  /** The last 20 previous texts of a config file, newest first. With `revision`, this text. */
  readonly 'GET /api/admin/config-revisions/{name}': {
    readonly params: {
      /** Name of a config file, with its slashes. `%2F` works as a slash too. */
      readonly name: string
    }
    readonly query: {
      /** The id of a previous text. */
      readonly revision?: string
    }
    readonly body: undefined
    readonly answers: {
      readonly 200: readonly ConfigRevision[] | string
    }
  }
  /** The JSON Schema (draft 2020-12) of a config file: `groups.schema.json`, or `skills-attacks.schema.json` for `skills/attacks.yaml`. */
  readonly 'GET /api/admin/schemas/{filename}': {
    readonly params: {
      /** The name of the schema file. */
      readonly filename: string
    }
    readonly query: undefined
    readonly body: undefined
    readonly answers: {
      readonly 200: { readonly [name: string]: unknown }
    }
  }
  /** Read all configs again, in every process. An invalid file keeps its last valid version. Each reload is in the audit log, even if nothing changes. */
  readonly 'POST /api/admin/reload': {
    readonly params: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answers: {
      readonly 200: ReloadReport
    }
  }
  /** For each class, the levels with new skills, and all attacks that the class has at that level. */
  readonly 'GET /api/classes': {
    readonly params: undefined
    readonly query: {
      /** Answers `ClassDetails` instead: ranks, spells and formulas of the classes, and costs and cooldowns of their skills. */
      readonly details?: "true"
    }
    readonly body: undefined
    readonly answers: {
      readonly 200: ClassUnlocks | ClassDetails
    }
  }
  /** Every active class by its name, as in `classes.yaml`. */
  readonly 'GET /api/admin/classes': {
    readonly params: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answers: {
      readonly 200: { readonly [name: string]: ClassDefinition }
    }
  }
  /** All attacks and spells with ranks, costs and cooldowns, disabled ones included. */
  readonly 'GET /api/admin/skills': {
    readonly params: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answers: {
      readonly 200: Skills
    }
  }
}
