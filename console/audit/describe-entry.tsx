import type { ComponentChild } from 'preact'
import { learnNames, nameOf } from '../state/player-names.ts'
import { linkTo } from '../state/route.ts'
import { learnZones, zoneNameOf } from '../state/zone-names.ts'
import { findThing } from './find-thing.ts'
import { type FindName, listIds, readSentence, splitIsolated, tellSentence } from './read-sentence.ts'
import type { AuditEntry } from './undo-button.tsx'

const findName: FindName = (kind, id) => (kind === 'zone' ? zoneNameOf(id) : nameOf(id)) ?? id

/** Loads the names of the zones and players that entries have only by their ids. Without them, the ids are shown. */
export const learnThings = async (entries: readonly AuditEntry[], signal: AbortSignal): Promise<void> => {
  await Promise.all([learnZones(listIds(entries, 'zone'), signal), learnNames(listIds(entries, 'player'), signal)]).catch(
    () => undefined,
  )
}

const Isolated = ({ text }: { readonly text: string }) => (
  <>{splitIsolated(text).map((part, at) => (at % 2 === 0 ? part : <bdi key={at}>{part}</bdi>))}</>
)

/** The entry without its actor as a plain text. */
export const tellChange = (entry: AuditEntry): string => tellSentence(entry, findName)

/** The entry without its actor: “banned Bob”. The target is an isolated text that leads to its page. */
export const describeChange = (entry: AuditEntry): ComponentChild => {
  const { start, name, middle, into, end } = readSentence(entry, findName)
  const address = findThing(entry)
  return (
    <>
      <Isolated text={start} />
      {name !== undefined &&
        (address === undefined ? (
          <bdi>{name}</bdi>
        ) : (
          <a href={address} title={entry.target}>
            <bdi>{name}</bdi>
          </a>
        ))}
      <Isolated text={middle} />
      {into !== undefined && (
        <a href={linkTo(['people', into])}>
          <bdi>{into}</bdi>
        </a>
      )}
      <Isolated text={end} />
    </>
  )
}

/** The entry as a sentence: “Ada banned Bob”. */
export const describeEntry = (entry: AuditEntry): ComponentChild => (
  <>
    <strong>
      <bdi>{entry.actor}</bdi>
    </strong>{' '}
    {describeChange(entry)}
  </>
)
