import type { GroupsConfig } from '../../../shared/domain/permissions/groups-config.ts'

/** `player` < `builder` < `staff` (manages users, but not configs) < the built-in `admin`; `jailed` denies permissions. */
export const fixtureGroups: GroupsConfig = {
  groups: [
    { name: 'player', permissions: ['world.build'] },
    { name: 'builder', permissions: ['zone.build'], inherits: ['player'] },
    { name: 'staff', permissions: ['admin.users.*', 'command.kick'], inherits: ['builder'] },
    { name: 'config-writer', permissions: ['admin.configs.write'] },
    { name: 'jailed', permissions: ['-world.build'] },
    { name: 'powerless', permissions: ['-admin.*'] },
  ],
  defaultGroups: ['player'],
}
