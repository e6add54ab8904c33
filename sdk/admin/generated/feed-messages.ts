// Made from the messages of feeds by `npm run generate`.

/** Messages of the feed of a zone to all its readers, by type. */
export interface ZoneFeedNews {
  readonly zone: {
    readonly type: "zone"
    readonly zone: {
      readonly id: string
      readonly name: string
      readonly world: string
      readonly yMin: number
      readonly yMax: number
      readonly chunks: readonly {
        readonly cx: number
        readonly cz: number
      }[]
      readonly enabled: boolean
      readonly clipPlanes: {
        readonly x: {
          readonly enabled: boolean
          readonly flipped: boolean
          readonly pos: number
        }
        readonly y: {
          readonly enabled: boolean
          readonly flipped: boolean
          readonly pos: number
        }
        readonly z: {
          readonly enabled: boolean
          readonly flipped: boolean
          readonly pos: number
        }
      }
      readonly shortcutBarPages: readonly (readonly (string | null)[])[]
      /** The playerId of the owner, initially of the account that created the zone. */
      readonly owner: string
      readonly createdAt: string
      readonly updatedAt: string
      /** Default: build `permission`, enter `everyone`. */
      readonly rules?: {
        readonly build: "permission" | "members" | "everyone" | "nobody"
        readonly enter: "everyone" | "members"
        readonly greeting?: string
        readonly farewell?: string
      }
      /** PlayerIds, at most 200; absent: none. */
      readonly members?: readonly string[]
      readonly opensAt?: string
      readonly closesAt?: string
      readonly expiresAt?: string
      /** Outside these hours the zone is inactive. Default: always open. If `to` is at or before `from`, the hours end on the next day. If summer time skips a local time, the next one counts. A local time that occurs twice counts once. */
      readonly hours?: readonly {
        /** The days on which the hours begin. */
        readonly days: readonly ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[]
        readonly from: string
        readonly to: string
      }[]
      /** IANA name of the time zone of `hours` and of a daily reset. Default: UTC. */
      readonly timeZone?: string
      readonly reset?: {
        /** The id of a snapshot of the zone. */
        readonly snapshot: string
        /** How often: 10m to 52w, counted from when the node of the world reads the setting. Or daily: `day at 06:00` in the `timeZone` of the zone, `day at 06:00 Europe/Berlin` in another one. */
        readonly every: string
      }
      /** The owner’s account was deleted. Assign a new owner. */
      readonly ownerGone?: true
    }
    readonly seq: number
    readonly reset?: true
  }
  readonly blocks: {
    readonly type: "blocks"
    readonly edits: readonly {
      readonly x: number
      readonly y: number
      readonly z: number
      readonly type: string
      /** The type of the block before the change. */
      readonly was: string
    }[]
    readonly by: string
    readonly seq: number
  }
  readonly playerEntered: {
    readonly type: "playerEntered"
    readonly playerId: string
    readonly displayName: string
    readonly position: {
      readonly x: number
      readonly y: number
      readonly z: number
      readonly yaw: number
      readonly pitch: number
    }
    readonly seq?: number
  }
  readonly playerMoved: {
    readonly type: "playerMoved"
    readonly playerId: string
    readonly position: {
      readonly x: number
      readonly y: number
      readonly z: number
      readonly yaw: number
      readonly pitch: number
    }
    readonly seq: number
  }
  readonly playerLeft: {
    readonly type: "playerLeft"
    readonly playerId: string
    readonly seq: number
  }
  readonly deleted: {
    readonly type: "deleted"
    readonly seq: number
  }
}

/** Messages of the feed of a world, by type. */
export interface WorldFeedNews {
  readonly players: {
    readonly type: "players"
    readonly players: readonly {
      readonly playerId: string
      readonly displayName: string
      readonly position: {
        readonly x: number
        readonly y: number
        readonly z: number
        readonly yaw: number
        readonly pitch: number
      }
    }[]
    readonly gone: readonly string[]
    readonly seq: number
    readonly reset?: true
  }
  readonly tiles: {
    readonly type: "tiles"
    readonly tiles: readonly {
      readonly zoom: number
      readonly tx: number
      readonly tz: number
    }[]
    readonly seq: number
    readonly since?: number
    readonly reset?: true
  }
  readonly zones: {
    readonly type: "zones"
    readonly zones: readonly {
      readonly id: string
      readonly name: string
      readonly world: string
      readonly yMin: number
      readonly yMax: number
      readonly chunks: readonly {
        readonly cx: number
        readonly cz: number
      }[]
      readonly enabled: boolean
      /** The playerId of the owner, initially of the account that created the zone. */
      readonly owner: string
      readonly opensAt?: string
      readonly closesAt?: string
      readonly expiresAt?: string
      /** Outside these hours the zone is inactive. Default: always open. If `to` is at or before `from`, the hours end on the next day. If summer time skips a local time, the next one counts. A local time that occurs twice counts once. */
      readonly hours?: readonly {
        /** The days on which the hours begin. */
        readonly days: readonly ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[]
        readonly from: string
        readonly to: string
      }[]
      /** IANA name of the time zone of `hours` and of a daily reset. Default: UTC. */
      readonly timeZone?: string
      readonly reset?: {
        /** The id of a snapshot of the zone. */
        readonly snapshot: string
        /** How often: 10m to 52w, counted from when the node of the world reads the setting. Or daily: `day at 06:00` in the `timeZone` of the zone, `day at 06:00 Europe/Berlin` in another one. */
        readonly every: string
      }
    }[]
    readonly gone: readonly string[]
    readonly seq: number
    readonly reset?: true
  }
  readonly chat: {
    readonly type: "chat"
    readonly lines: readonly {
      readonly at: string
      readonly channel: string
      readonly from: string
      readonly by?: string
      readonly text: string
    }[]
    readonly seq: number
    readonly reset?: true
  }
  readonly joined: {
    readonly type: "joined"
    readonly players: readonly {
      readonly playerId: string
      readonly displayName: string
    }[]
    readonly seq: number
  }
  readonly left: {
    readonly type: "left"
    readonly players: readonly {
      readonly playerId: string
      readonly displayName: string
    }[]
    readonly seq: number
  }
  readonly edits: {
    readonly type: "edits"
    readonly edits: readonly {
      readonly x: number
      readonly y: number
      readonly z: number
      readonly type: string
      /** The type of the block before the change. */
      readonly was: string
      /** A playerId. */
      readonly by?: string
      /** The way of the change, as in the history. */
      readonly via: "game" | "feed" | "command" | "rollback" | "restore" | "module"
    }[]
    readonly seq: number
    readonly reset?: true
  }
}

/** Answers of a feed to one reader, by type. */
export interface FeedReplies {
  readonly result: {
    readonly type: "result"
    readonly ref: number
    readonly ok: boolean
    readonly applied: number
    readonly rejected: readonly {
      readonly index: number
      readonly reason: string
    }[]
    readonly reason?: string
  }
  readonly renewed: {
    readonly type: "renewed"
    /** Absent for an API token that does not expire. */
    readonly expiresAt?: string
  }
  readonly error: {
    readonly type: "error"
    readonly code: string
    readonly message: string
    readonly ref?: number
  }
  readonly heartbeat: {
    readonly type: "heartbeat"
  }
}
