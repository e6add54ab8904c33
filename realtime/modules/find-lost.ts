import type { LoadedSpec } from '../../shared/domain/modules/module-spec.ts'

type Stored = { readonly version?: number }

const versionOf = (stored: object): number => ('version' in stored && typeof stored.version === 'number' ? stored.version : 1)

const findLostIn = (what: string, before: Stored | object | undefined, after: Stored | object | undefined): string[] => {
  if (before === undefined) return []
  if (after === undefined) return [`${what}: the new version does not declare it, so its values are not read any longer`]
  const [old, next] = [versionOf(before), versionOf(after)]
  return next < old ? [`${what}: values of version ${old} cannot be read by version ${next}`] : []
}

/** The stored data and the messages that a reload would lose, in words. */
export const findLost = ({ declare: before }: LoadedSpec, { declare: after }: LoadedSpec): readonly string[] => [
  ...findLostIn('player', before.player, after.player),
  ...findLostIn('state', before.state, after.state),
  ...Object.entries(before.records ?? {}).flatMap(([name, record]) =>
    findLostIn(`records.${name}`, record, after.records?.[name]),
  ),
  ...Object.keys(before.messages ?? {}).flatMap((name) =>
    after.messages?.[name] === undefined ? [`messages.${name}: clients that send it get unknown-message`] : [],
  ),
]
