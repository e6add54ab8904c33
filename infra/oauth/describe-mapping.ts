import type { OauthSettings } from '../../shared/auth/oauth/oauth-settings.ts'
import type { Permissions } from '../../shared/permissions/permissions.ts'

/** Each value of the groups claim, the group that it gives, and what that permits. */
export const describeMapping = ({ groupsClaim }: OauthSettings, permissions: Permissions): readonly string[] => {
  if (groupsClaim === undefined) return ['auth.oauth.groupsClaim is not set: a sign-in changes no groups.']
  const effective = new Map(permissions.listGroups().map(({ name, effective: rules }) => [name, rules]))
  const entries = Object.entries(groupsClaim.mapping).map(([value, group]) => {
    const rules = effective.get(group)
    const permits =
      rules === undefined ? 'a group that does not exist, and so permits nothing' : `may ${rules.join(', ') || 'nothing'}`
    return `"${value}" in ${groupsClaim.claim} → ${group}: ${permits}`
  })
  const others = groupsClaim.denyUnmapped
    ? 'Whoever has none of these values does not come in.'
    : 'Any other value gives nothing.'
  return [...entries, others]
}
