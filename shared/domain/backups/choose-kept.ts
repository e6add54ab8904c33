import type { Backup } from './backup.ts'

/** How many backups stay: the latest ones, and one for each of the latest days and weeks that have one. */
export type Keep = { readonly last: number; readonly daily: number; readonly weekly: number }

const dayMs = 86_400_000
/** 1970-01-01 was a Thursday; weeks begin on Mondays. */
const weekOf = (atMs: number): number => Math.floor((atMs / dayMs + 3) / 7)
const dayOf = (atMs: number): number => Math.floor(atMs / dayMs)

/** The ids of the backups that stay; `backups` are newest first. Of a day or week the newest stays. The newest verified backup always stays. */
export const chooseKept = (backups: readonly Pick<Backup, 'id' | 'at' | 'verifiedAt'>[], keep: Keep): ReadonlySet<string> => {
  const kept = new Set(backups.slice(0, keep.last).map(({ id }) => id))
  const keepPeriods = (periodOf: (atMs: number) => number, count: number): void => {
    const seen = new Set<number>()
    for (const { id, at } of backups) {
      const period = periodOf(Date.parse(at))
      if (seen.has(period) || seen.size >= count) continue
      seen.add(period)
      kept.add(id)
    }
  }
  keepPeriods(dayOf, keep.daily)
  keepPeriods(weekOf, keep.weekly)
  const readBack = backups.find(({ verifiedAt }) => verifiedAt !== undefined)
  if (readBack !== undefined) kept.add(readBack.id)
  return kept
}
