import type { PermissionNames } from '../../permissions/permission-names.ts'
import type { Presence } from '../../presence/presence.ts'
import { describeBlocksImpact } from '../blocks/blocks-impact.ts'
import { describeClassesImpact, listSkillImpacts } from '../classes/classes-impact.ts'
import type { ConfigImpact } from '../compare/config-impact-schema.ts'
import { orUnknown } from '../compare/config-impact-unknown.ts'
import { type ConfigStates, changesMax, findDifferences } from '../compare/list-changes.ts'
import type { Configs } from '../current/configs.ts'
import type { ConfigName, ConfigValues } from '../declare/config-file.ts'
import { describeGroupsImpact } from '../groups/groups-impact.ts'
import type { AccountsImpactDeps } from '../groups/groups-impact-accounts.ts'
import { listSettingImpacts } from '../server/server-impact.ts'

export type ConfigImpactDeps = AccountsImpactDeps & {
  readonly presence: Presence
  readonly permissionNames: PermissionNames
  readonly configs: Pick<Configs, 'get'>
}

type Change<N extends ConfigName> = Pick<ConfigStates<ConfigValues[N]>, 'stored' | 'next'>

/**
 * The effects of replacing `stored` by `next` on players and accounts. Parts that are unknown while Redis or the accounts are unavailable
 * are null. For `groups.yaml` it reads every account and yields between pages.
 */
export type DescribeImpact = <N extends ConfigName>(name: N, change: Change<N>) => Promise<ConfigImpact>

type Describers = {
  readonly [N in ConfigName]: (stored: ConfigValues[N], next: ConfigValues[N]) => Promise<ConfigImpact>
}

const countChanges = <T>(stored: T, next: T): number => {
  let count = 0
  for (const _ of findDifferences([stored, next, undefined])) count += 1
  return count
}

/** An impact on all connected players, or on none. */
const createOnEverybody =
  (presence: Pick<Presence, 'countConnected'>) =>
  async (isTouched: boolean, parts: Partial<ConfigImpact> = {}): Promise<ConfigImpact> => ({
    connected: isTouched ? await orUnknown(() => presence.countConnected()) : 0,
    warnings: [],
    ...parts,
  })

const createDescribers = (deps: ConfigImpactDeps): Describers => {
  const onEverybody = createOnEverybody(deps.presence)
  const learned = () => deps.configs.get('classes.yaml')
  return {
    'groups.yaml': (stored, next) => describeGroupsImpact(deps, stored, next),
    'server.yaml': (stored, next) => {
      const settings = listSettingImpacts(stored, next)
      return onEverybody(
        settings.some(({ touches }) => touches === 'connected'),
        { settings },
      )
    },
    'blocks.yaml': (stored, next) => onEverybody(true, { blocks: describeBlocksImpact(stored, next) }),
    // The server does not know the classes of players, so every player counts.
    'classes.yaml': (stored, next) => onEverybody(true, describeClassesImpact(stored, next)),
    'skills/attacks.yaml': (stored, next) =>
      onEverybody(true, { skills: listSkillImpacts(stored.attacks, next.attacks, learned()) }),
    'skills/spells.yaml': (stored, next) =>
      onEverybody(true, { skills: listSkillImpacts(stored.spells, next.spells, learned()) }),
    // Existing worlds keep their settings.
    'worldgen.yaml': () => onEverybody(false),
    // A module may do anything to any player.
    'modules.yaml': () => onEverybody(true),
  }
}

/** Describes the effects of config changes. References to other files use the active configs of this process. */
export const createConfigImpact = (deps: ConfigImpactDeps): DescribeImpact => {
  const describers = createDescribers(deps)
  return async (name, { stored, next }) => {
    const changes = countChanges(stored, next)
    const impact = await describers[name](stored, next)
    return {
      ...impact,
      ...(changes === 0 && { connected: 0 }),
      ...(changes > changesMax && { changesOmitted: changes - changesMax }),
    }
  }
}
