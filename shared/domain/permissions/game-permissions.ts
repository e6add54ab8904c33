/** A permission that the game asks for, rather than a route or a command of its own. */
export type GamePermission = { readonly permission: string; readonly privileged: boolean; readonly opens: string }

/** What building needs, wherever it is. */
export const buildPermission = 'world.build'
/** What building in an enabled zone needs, beside the permission to build at all. */
export const zonePermission = 'zone.build'

/** What the owner of a zone needs to set its rules and members. */
export const ownZonePermission = 'zone.own'

/** What the owner and the members of a zone need to see who changed its blocks, and to take that back. */
export const zoneHistoryPermission = 'zone.history'

/** What no route and no command declares. The documentation of permissions is made from these and from those. */
export const gamePermissions: readonly GamePermission[] = [
  {
    permission: 'game.join',
    privileged: false,
    opens: 'Playing at all, where `realtime.admission` of `server.yaml` is `permission`.',
  },
  {
    permission: 'admin.sanctions.forever',
    privileged: true,
    opens: 'Bans without an end, to impose and to end, beside the permission of the route or the command.',
  },
  {
    permission: 'admin.players.write',
    privileged: true,
    opens:
      'All of `admin.players.kick`, `admin.players.message` and `admin.players.teleport`; the name from before they were split.',
  },
  { permission: buildPermission, privileged: false, opens: 'Placing and breaking blocks.' },
  {
    permission: 'world.fly',
    privileged: false,
    opens: 'Flying, in clients that draw a body; the server itself lets everybody up and down.',
  },
  {
    permission: zonePermission,
    privileged: false,
    opens: 'Placing and breaking blocks inside enabled zones, beside `world.build`.',
  },
  {
    permission: ownZonePermission,
    privileged: false,
    opens: 'Setting the rules and the members of zones of one’s own.',
  },
  {
    permission: zoneHistoryPermission,
    privileged: false,
    opens: '`/inspect`, `/rollback` and the routes of the history, inside zones that one owns or is a member of.',
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
    opens: '`/command:disable` and `/command:enable` for somebody else; for oneself they need nothing.',
  },
]
