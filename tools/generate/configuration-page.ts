import { catalogue, configNames } from '../../shared/domain/configs/catalogue.ts'
import { createConfigSchema, schemaFileName } from '../../shared/domain/configs/config-schemas.ts'
import type { ConfigEffect, ConfigName } from '../../shared/domain/configs/declare/config-file.ts'
import { createEffectFinder, type KeyEffect } from './config-effects.ts'
import { configExamples } from './config-examples.ts'
import { type ConfigKey, formatSteps, isSchema, listConfigKeys } from './config-keys.ts'
import { createConfigTable } from './config-table.ts'
import { configurationGuide } from './configuration-guide.ts'

const phrases = { now: 'at once', reload: 'on reload', restart: 'after a restart' } as const

type DocumentedKey = { readonly path: string; readonly effect: ConfigEffect }

const listPlaces = (path: string, effect: KeyEffect): DocumentedKey[] => {
  if (typeof effect === 'string') return [{ path: `\`${path}\``, effect }]
  return [
    { path: `additions to \`${path}\``, effect: effect.added },
    { path: `removals from \`${path}\``, effect: effect.takenAway },
  ]
}

/** One sentence about the effect of a change of the file, with the keys that differ from most. */
const describeFileEffect = (keys: readonly ConfigKey[], findEffect: (key: ConfigKey) => KeyEffect): string => {
  const places = keys
    .filter(({ schema }) => !isSchema(schema.properties))
    .flatMap((key) => listPlaces(formatSteps(key.steps), findEffect(key)))
  const pathsOf = (wanted: ConfigEffect) => places.filter(({ effect }) => effect === wanted).map(({ path }) => path)
  const usual = pathsOf('restart').length > pathsOf('reload').length ? 'restart' : 'reload'
  const others = (['now', 'reload', 'restart'] as const).filter((effect) => effect !== usual && pathsOf(effect).length > 0)
  const exceptions = others.map((effect) => `; ${pathsOf(effect).join(', ')} ${phrases[effect]}`)
  return `Changes apply ${phrases[usual]}${exceptions.join('')}.`
}

/** The keys that need another permission besides `admin.configs.write`, by permission. */
const describeNeeds = (name: ConfigName, keys: readonly ConfigKey[]): readonly string[] => {
  const byPermission = new Map<string, string[]>()
  for (const { steps, schema } of keys) {
    const permission = catalogue[name].changePermission(
      `/${steps.map((step) => (step.kind === 'key' ? step.key : '0')).join('/')}`,
    )
    if (permission === undefined || isSchema(schema.properties)) continue
    byPermission.set(permission, [...(byPermission.get(permission) ?? []), `\`${formatSteps(steps)}\``])
  }
  if (byPermission.size === 0) return []
  return [
    'A change of these keys needs another permission besides `admin.configs.write` (`*` is every permission). To leave a key out is to change it to its default.',
    '',
    '| Permission | Keys |',
    '|---|---|',
    ...[...byPermission].map(([permission, names]) => `| \`${permission}\` | ${names.join(', ')} |`),
  ]
}

const describeFile = (name: ConfigName): string => {
  const { summary, readPermission } = catalogue[name]
  const schema = createConfigSchema(name)
  const keys = listConfigKeys(schema)
  const findEffect = createEffectFinder(name, schema)
  const needs = describeNeeds(name, keys)
  const file = schemaFileName(name)
  return [
    `## \`${name}\``,
    '',
    `${summary} ${describeFileEffect(keys, findEffect)} Reading it needs \`${readPermission}\`. Schema: [${file}](../resources/schemas/${file}).`,
    '',
    ...createConfigTable(keys, findEffect),
    '',
    ...(needs.length === 0 ? [] : [...needs, '']),
    '```yaml',
    (configExamples[name] ?? '').trim(),
    '```',
  ].join('\n')
}

/** The text of `docs/configuration.md`: every config file and key from the catalogue, with effects found by trying changes. */
export const createConfigurationPage = (): string =>
  [
    '# Configuration',
    'Made from `shared/domain/configs/` by `npm run generate`; do not edit.',
    configurationGuide,
    ...configNames.map(describeFile),
    '',
  ]
    .join('\n\n')
    .replace(/\n+$/, '\n')
