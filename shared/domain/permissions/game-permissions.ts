/** A permission that the game checks, not a route or a command. */
export type GamePermission = { readonly permission: string; readonly privileged: boolean; readonly opens: string }

/** The permission to build anywhere. */
export const buildPermission = 'world.build'
/** The permission to build in enabled zones, in addition to `world.build`. */
export const zonePermission = 'zone.build'

/** The permission of zone owners to set the rules and members of their zones. */
export const ownZonePermission = 'zone.own'

/** The permission of zone owners and members to see who changed its blocks, and to undo that. */
export const zoneHistoryPermission = 'zone.history'

/** Permissions that no route and no command declares. The documentation of permissions is made from all three. */
export const gamePermissions: readonly GamePermission[] = [
  {
    permission: 'game.join',
    privileged: false,
    opens: 'Joining the game, if `realtime.admission` in `server.yaml` is `permission`.',
  },
  {
    permission: 'admin.sanctions.forever',
    privileged: true,
    opens: 'Imposing and ending bans without an end, in addition to the permission of the route or command.',
  },
  {
    permission: 'admin.players.write',
    privileged: true,
    opens: 'All of `admin.players.kick`, `admin.players.message` and `admin.players.teleport`. An old name, still accepted.',
  },
  { permission: buildPermission, privileged: false, opens: 'Placing and breaking blocks.' },
  {
    permission: 'world.fly',
    privileged: false,
    opens: 'Flying, in clients that draw a body. The server itself does not restrict vertical movement.',
  },
  {
    permission: zonePermission,
    privileged: false,
    opens: 'Placing and breaking blocks inside enabled zones, in addition to `world.build`.',
  },
  {
    permission: ownZonePermission,
    privileged: false,
    opens: 'Setting the rules and members of your own zones.',
  },
  {
    permission: zoneHistoryPermission,
    privileged: false,
    opens: '`/inspect`, `/rollback` and the history routes, inside zones that you own or are a member of.',
  },
  {
    permission: 'admin.history.read',
    privileged: true,
    opens: '`GET /api/admin/worlds/{world}/history` everywhere: who changed which blocks.',
  },
  {
    permission: 'admin.history.write',
    privileged: true,
    opens: '`POST /api/admin/worlds/{world}/rollback` everywhere, and undo of it.',
  },
  {
    permission: 'command.disable.others',
    privileged: true,
    opens: '`/command:disable` and `/command:enable` for another player. Using them for yourself needs no permission.',
  },
]
