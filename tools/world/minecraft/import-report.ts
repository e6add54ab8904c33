import type { WorldSpawn } from '../../../shared/domain/worlds/world.ts'
import type { ChunkPos } from '../../../shared/rules/positions.ts'
import { countOf, plural } from '../words.ts'
import { type ColumnCounts, createColumnCounts } from './convert-column.ts'
import { type Skip, type SkipReason, skipReasons } from './skip-reason.ts'

/** The result of a Minecraft import. */
export type ImportReport = {
  files: number
  columns: number
  readonly counts: ColumnCounts
  readonly skipped: Map<SkipReason, number>
  /** The first faults by name; further ones are counted. */
  readonly faults: { readonly where: string; readonly fault: string }[]
  faultsUntold: number
  /** The folder of region files that was read, within the given folder, and those that were not. */
  readonly read: string
  readonly unread: readonly string[]
  /** The spawn of players; undefined if the world names none. */
  readonly spawn: WorldSpawn | undefined
}

const faultsMax = 1000
const linesMax = 20

export const createImportReport = (): ImportReport => ({
  files: 0,
  columns: 0,
  counts: createColumnCounts(),
  skipped: new Map(),
  faults: [],
  faultsUntold: 0,
  read: '.',
  unread: [],
  spawn: undefined,
})

/** Records a fault of a file or column. */
export const noteFault = (report: ImportReport, where: string, fault: string): void => {
  if (report.faults.length < faultsMax) report.faults.push({ where, fault })
  else report.faultsUntold += 1
}

/** Counts a column that was left out. Unfinished ones are common in any world, and not listed. */
export const noteSkip = (report: ImportReport, { cx, cz }: ChunkPos, { reason, detail }: Skip): void => {
  report.skipped.set(reason, (report.skipped.get(reason) ?? 0) + 1)
  if (reason !== 'unfinished') noteFault(report, `column ${cx},${cz}`, detail)
}

const sorted = (counts: ReadonlyMap<string, number>): [string, number][] =>
  [...counts].sort(([nameA, a], [nameB, b]) => b - a || nameA.localeCompare(nameB, 'en'))

const skippedInWords: Record<SkipReason, string> = {
  damaged: 'damaged',
  unfinished: 'not finished by Minecraft',
  'too-old': 'of a version before 1.18',
  'unsupported-compression': 'compressed in a way that is not supported',
  'outside-the-world': 'outside the bounds of a world',
}

const namesInWords = (what: string, counts: ReadonlyMap<string, number>): string => {
  const names = sorted(counts)
  if (names.length === 0) return ''
  const listed = names.slice(0, linesMax).map(([name, blocks]) => `  ${name}: ${countOf(blocks)}\n`)
  const rest = names.length > linesMax ? `  and ${plural(names.length - linesMax, 'further name')}\n` : ''
  return `${what}\n${listed.join('')}${rest}`
}

const describeSpawn = (spawn: WorldSpawn | undefined): string =>
  spawn === undefined
    ? 'There is no level.dat with a spawn. Set it with --spawn x,z, or /setspawn in the game.\n'
    : `Players spawn at ${Math.floor(spawn.x)} ${Math.floor(spawn.z)}.\n`

/** The report as lines for people, with the longest lists cut. */
export const describeReport = ({
  files,
  columns,
  counts,
  skipped,
  faults,
  faultsUntold,
  read,
  unread,
  spawn,
}: ImportReport): string => {
  const left = skipReasons.flatMap((reason) => {
    const count = skipped.get(reason) ?? 0
    return count === 0 ? [] : [`  ${countOf(count)} ${skippedInWords[reason]}\n`]
  })
  const told = faults.slice(0, linesMax).map(({ where, fault }) => `  ${where}: ${fault}\n`)
  const untold = faults.length - told.length + faultsUntold
  return [
    `Imported ${plural(columns, 'column')} from ${plural(files, 'region file')}.\n`,
    ...unread.map((folder) => `Read ${read}, the newer of two layouts, not ${folder}.\n`),
    describeSpawn(spawn),
    left.length > 0 ? `Columns left out:\n${left.join('')}` : '',
    told.length > 0 ? `Faults:\n${told.join('')}` : '',
    untold > 0 ? `  and ${countOf(untold)} more\n` : '',
    `Blocks cut off: ${countOf(counts.cutBelow)} below height 0, ${countOf(counts.cutAbove)} above 255.\n`,
    namesInWords('Blocks replaced by the nearest one by material:', counts.guessed),
    namesInWords('Blocks left out, smaller than a whole block:', counts.leftOut),
  ].join('')
}

/** The full report, for programs. */
export const reportToJson = ({
  files,
  columns,
  counts,
  skipped,
  faults,
  faultsUntold,
  read,
  unread,
  spawn,
}: ImportReport): string =>
  `${JSON.stringify(
    {
      files,
      read,
      unread,
      spawn,
      columns,
      skipped: Object.fromEntries(skipped),
      blocksCut: { below: counts.cutBelow, above: counts.cutAbove },
      guessed: Object.fromEntries(sorted(counts.guessed)),
      leftOut: Object.fromEntries(sorted(counts.leftOut)),
      faults,
      faultsUntold,
    },
    null,
    2,
  )}\n`
