import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Random } from '../../random.ts'
import type { FuzzKind } from '../fuzz-kind.ts'
import { judgeAnswer } from '../judge-answer.ts'
import { mutateText } from '../mutate.ts'
import { oddText } from '../odd-values.ts'

const folder = join(import.meta.dirname, '../../../../resources/config')
const names = [
  'groups.yaml',
  'server.yaml',
  'classes.yaml',
  'skills/attacks.yaml',
  'skills/spells.yaml',
  'blocks.yaml',
  'worldgen.yaml',
] as const
const shipped = new Map(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]))

/** YAML that makes parsers recurse, multiply or fail. */
const oddPieces = (random: Random): string => {
  const times = random.int(1, random.chance(0.1) ? 4000 : 60)
  return random.pick([
    '? - '.repeat(times),
    '['.repeat(times),
    '{a: '.repeat(times),
    '- '.repeat(times),
    `${' '.repeat(random.int(0, 9))}a: &a [*a, *a]\n`,
    `a: &a0 [x]\n${Array.from({ length: Math.min(times, 12) }, (_, i) => `b${i}: &a${i + 1} [*a${i}, *a${i}, *a${i}]\n`).join('')}`,
    '!!js/function "x"\n',
    '!!binary "////"\n',
    '%YAML 9.9\n---\n',
    '--- a\n--- b\n',
    '\t- x\n',
    'groups: 1\ngroups: 2\n',
    '<<: *a\n',
    `"${'\\u0000'.repeat(times)}"\n`,
    `key${'k'.repeat(times * 10)}: v\n`,
    '0x1F: 1_000\n',
    '~: ~\n',
    '\ufeff',
    '\r',
    '\u2028',
    `|9\n${'  text\n'.repeat(times)}`,
  ])
}

export const mutateYaml = (random: Random, text: string): string => {
  const lines = text.split('\n')
  for (let changes = random.int(1, 5); changes > 0; changes -= 1) {
    const at = random.int(0, lines.length - 1)
    const line = lines[at] ?? ''
    const changed = [
      [],
      [line, line],
      [' '.repeat(random.int(1, 6)) + line],
      [line.trimStart()],
      [oddPieces(random)],
      [line, oddPieces(random)],
      [mutateText(random, line)],
      [`${line.split(':')[0]}: ${oddText(random)}`],
    ]
    lines.splice(at, 1, ...random.pick(changed))
  }
  return lines.join(random.chance(0.05) ? '\r\n' : '\n')
}

/** Texts of config files, saved or tried by an administrator. */
export const configTexts: FuzzKind = {
  name: 'config-texts',
  weight: 12,
  make: (random) => {
    const name = random.pick(names)
    const text = random.chance(0.8) ? mutateYaml(random, shipped.get(name) ?? '') : oddPieces(random) + oddPieces(random)
    // A valid change of server.yaml would affect the campaign, so it is only a dry run; other files are sometimes saved.
    return { name, query: name !== 'server.yaml' && random.chance(0.3) ? '' : '?dryRun=true', '?text': text }
  },
  send: async ({ name = '', query = '', '?text': text = '' }, target) => {
    const headers = { Authorization: `Bearer ${target.tokenOf('boss')}`, 'Content-Type': 'application/yaml' }
    const answer = await target.http.send({ method: 'PUT', target: `/api/admin/configs/${name}${query}`, headers, body: text })
    return { seen: String(answer.status), fault: judgeAnswer(answer, text, target) }
  },
}
