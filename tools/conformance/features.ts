import type { Feature } from './check.ts'
import { asPlayer, withDeadToken, withoutCredential, withoutPassword } from './checks/access.ts'
import { accounts } from './checks/accounts.ts'
import { audit } from './checks/audit.ts'
import { classes } from './checks/classes.ts'
import { configNames } from './checks/config-names.ts'
import { configSaves } from './checks/config-saves.ts'
import { schemas } from './checks/config-schemas.ts'
import { configs } from './checks/configs.ts'
import { discovered } from './checks/discovered.ts'
import { entityTags } from './checks/entity-tags.ts'
import { live } from './checks/live.ts'
import { signIn } from './checks/local-sign-in.ts'
import { mediaTypes } from './checks/media-types.ts'
import { methods } from './checks/methods.ts'
import { nodes } from './checks/nodes.ts'
import { oauth } from './checks/oauth-sign-in.ts'
import { otherOrigins } from './checks/other-origins.ts'
import { addresses, queries } from './checks/parameters.ts'
import { groups, permissions } from './checks/permissions.ts'
import { reload } from './checks/reload.ts'
import { requestBodies } from './checks/request-bodies.ts'
import { requestIds } from './checks/request-ids.ts'
import { sanctions } from './checks/sanctions.ts'
import { service } from './checks/service.ts'
import { apiTokens, sessions } from './checks/sessions.ts'
import { unknownAddresses } from './checks/unknown-addresses.ts'
import { backups, worlds } from './checks/worlds.ts'
import { zoneBlocks } from './checks/zone-blocks.ts'
import { zoneRules } from './checks/zone-rules.ts'
import { zones } from './checks/zones.ts'

/** All checks, in the order of the report. */
export const features: readonly Feature[] = [
  service,
  nodes,
  live,
  unknownAddresses,
  otherOrigins,
  requestIds,
  withoutCredential,
  withDeadToken,
  asPlayer,
  withoutPassword,
  methods,
  queries,
  addresses,
  requestBodies,
  mediaTypes,
  entityTags,
  signIn,
  oauth,
  sessions,
  apiTokens,
  accounts,
  groups,
  permissions,
  sanctions,
  audit,
  worlds,
  backups,
  discovered,
  zones,
  zoneRules,
  zoneBlocks,
  configs,
  configNames,
  configSaves,
  schemas,
  reload,
  classes,
]
