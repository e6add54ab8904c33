import { describeMap, describeMarks, hasCells, listKinds, type MapKind } from './map-legend.ts'
import type { MapCell, MapSurvey } from './survey-map.ts'

const notReceived = '?'
const nothing = '.'
/** Of kinds for which no letter is left. */
const anyKind = '#'
const alphabet = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ']

/** A letter for each kind, one of its own id where there is one left. */
const pickLetters = (kinds: readonly MapKind[]): ReadonlyMap<string, string> => {
  const letters = new Map<string, string>()
  const taken = new Set<string>()
  for (const { id } of kinds) {
    const own = [...id].filter((letter) => alphabet.includes(letter))
    const free = [...own, ...own.map((letter) => letter.toUpperCase()), ...alphabet].find((letter) => !taken.has(letter))
    if (free !== undefined) taken.add(free)
    letters.set(id, free ?? anyKind)
  }
  return letters
}

const letterOf = (cell: MapCell, letters: ReadonlyMap<string, string>): string => {
  if (cell.mark !== undefined) return cell.mark
  if (cell.kind === 'block') return letters.get(cell.id) ?? anyKind
  return cell.kind === 'nothing' ? nothing : notReceived
}

/** A map in letters, with what each of them stands for; nothing in it but printable characters. */
export const drawLetterMap = (survey: MapSurvey): string => {
  const kinds = listKinds(survey)
  const letters = pickLetters(kinds)
  const rows = survey.rows.map((row) => row.map((cell) => letterOf(cell, letters)).join(' '))
  const legend = [
    ...kinds.map((kind) => `${letters.get(kind.id)} ${kind.name}`),
    ...(hasCells(survey, 'nothing') ? [`${nothing} nothing`] : []),
    ...(hasCells(survey, 'not-received') ? [`${notReceived} not received yet`] : []),
  ]
  return [describeMap(survey), ...rows, describeMarks(survey), ...(legend.length > 0 ? [legend.join(', ')] : [])].join('\n')
}
