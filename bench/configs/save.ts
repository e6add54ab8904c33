import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parse, stringify } from 'yaml'
import type { Actor } from '../../shared/domain/accounts/actor.ts'
import { canAdminister } from '../../shared/domain/accounts/can-administer.ts'
import { createConfigImpact } from '../../shared/domain/configs/editor/config-impact.ts'
import { createConfigEditor } from '../../shared/domain/configs/editor/create-config-editor.ts'
import { createConfigParser } from '../../shared/domain/configs/reading/parse-config-aside.ts'
import { createEmbeddedConfigFiles } from '../../shared/domain/configs/texts/embedded/config-files-embedded.ts'
import { systemClock } from '../../shared/kernel/clock.ts'
import { systemIds } from '../../shared/kernel/ids.ts'
import { createLmdbStore } from '../../shared/platform/storage/lmdb/lmdb-store.ts'
import { createHttpFixture } from '../../test/support/http/http-fixture.ts'
import { type Bench, type BenchResult, median, percentile, round } from '../result.ts'

const warmUp = 50
const saves = 500
const targetMs = 30
const bundledDir = resolve(import.meta.dirname, '../../resources/config')

/** As in a large server: 50 groups of 10 rules each. */
const groups = {
  groups: Array.from({ length: 50 }, (_, group) => ({
    name: `group-${group}`,
    permissions: Array.from({ length: 10 }, (_, rule) => `part-${group}.kind-${rule}.action`),
    ...(group === 0 ? {} : { inherits: [`group-${group - 1}`] }),
  })),
  defaultGroups: ['group-0'],
}

const timed = async (run: () => unknown): Promise<number> => {
  const before = performance.now()
  await run()
  return performance.now() - before
}

const repeat = async (run: (turn: number) => unknown): Promise<number[]> => {
  const times: number[] = []
  for (let turn = 0; turn < warmUp + saves; turn += 1) {
    const ms = await timed(() => run(turn))
    if (turn >= warmUp) times.push(ms)
  }
  return times
}

/** A different text each time. */
const textOf = (text: string, turn: number): string => `# Edited ${turn} times.\n${text}`

const readBundled = (name: string): Promise<string> => readFile(join(bundledDir, name), 'utf8')

/** Writes the same texts with their revisions, without any check: the cost of the disk. */
const benchDisk = async (text: string): Promise<number[]> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-bench-'))
  await mkdir(join(dataDir, 'config'))
  const store = createLmdbStore({ path: join(dataDir, 'records'), ids: systemIds })
  const files = createEmbeddedConfigFiles({ dataDir, bundledDir, store, clock: systemClock, ids: systemIds })
  try {
    return await repeat((turn) => files.write('classes.yaml', textOf(text, turn), { savedBy: 'admin@example.com' }))
  } finally {
    await store.close()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/**
 * Benchmarks a save with all its checks, audit and revision, without a disk, against the YAML library alone on the same text. It
 * also measures the additional cost of the disk. The thread for longer texts is already running. It cannot show configs in
 * DynamoDB.
 */
export const configSave: Bench = {
  name: 'config-save',
  run: async () => {
    const classes = await readBundled('classes.yaml')
    const [attacks, spells] = await Promise.all(['skills/attacks.yaml', 'skills/spells.yaml'].map(readBundled))
    const fixture = await createHttpFixture({
      groups,
      classes: parse(classes),
      attacks: parse(attacks ?? ''),
      spells: parse(spells ?? ''),
    })
    const { deps, people, configFiles, presence } = fixture
    // As in a server, which parses longer texts in a thread; the parser of the fixture parses all of them synchronously.
    const parser = createConfigParser()
    const editor = createConfigEditor({
      ...deps,
      files: configFiles,
      parser,
      findUnsafe: () => [],
      permissionNames: deps.permissions.names,
      describeImpact: createConfigImpact({ ...deps, presence, canAdminister, permissionNames: deps.permissions.names }),
    })
    const rules = deps.permissions.rulesFor(['admin'])
    const { email, playerId, displayName } = people.admin
    const actor: Actor = { email, playerId, displayName, verified: true, rules, via: 'http', requestId: 'bench' }
    const benchSave = async (name: string, text: string): Promise<BenchResult> => {
      const ours = await repeat((turn) => editor.save(name, textOf(text, turn), { actor }))
      const theirs = await repeat((turn) => parse(textOf(text, turn)))
      const p99 = percentile(ours, 0.99)
      return {
        bench: 'config-save',
        figure: `save of ${name} besides the disk, p99`,
        value: round(p99, 1),
        unit: 'ms',
        reference: { name: 'the YAML library alone, p99', value: round(percentile(theirs, 0.99), 1) },
        ratio: round(median(ours) / median(theirs), 1),
        target: `under ${targetMs}`,
        met: p99 < targetMs,
      }
    }
    try {
      const results = [await benchSave('groups.yaml', stringify(groups)), await benchSave('classes.yaml', classes)]
      const disk = await benchDisk(classes)
      const figure = 'what the disk takes of a save, p99'
      return [...results, { bench: 'config-save', figure, value: round(percentile(disk, 0.99), 1), unit: 'ms' }]
    } finally {
      await parser.close()
      await fixture.close()
    }
  },
}
