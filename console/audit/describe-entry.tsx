import type { ComponentChild } from 'preact'
import { linkTo } from '../state/route.ts'
import { words } from '../words.ts'
import { findThing } from './find-thing.ts'
import type { AuditEntry } from './undo-button.tsx'

const nameIn = (value: unknown): string | undefined => {
  if (typeof value !== 'object' || value === null) return undefined
  const name: unknown = Reflect.get(value, 'displayName') ?? Reflect.get(value, 'name')
  return typeof name === 'string' && name !== '' ? name : undefined
}

/** The word for a new sanction, by its kind. */
const findSanction = ({ action, after }: AuditEntry): string | undefined => {
  if (action !== 'sanction.create' || typeof after !== 'object' || after === null) return undefined
  const kind: unknown = Reflect.get(after, 'kind')
  return kind === 'ban' || kind === 'mute' || kind === 'warning' ? words.activityOfSanction[kind] : undefined
}

const findSentence = (action: string): string | undefined => {
  const known = (Object.keys(words.activity) as (keyof typeof words.activity)[]).find((one) => one === action)
  return known && words.activity[known]
}

/** The entry without its actor, in parts: “banned ”, “Bob”, “.”. A sentence about no object has only a start. */
const readSentence = (entry: AuditEntry) => {
  const { action, target, before, after, count, mergedInto } = entry
  const sentence =
    mergedInto === undefined
      ? (findSanction(entry) ?? findSentence(action) ?? words.activityOther(action))
      : words.activityOfMerge
  const [start = '', middle = '', end = ''] = sentence.split('{}')
  return {
    start,
    name: sentence.includes('{}') ? (nameIn(after) ?? nameIn(before) ?? target) : undefined,
    middle,
    into: mergedInto,
    end: count === undefined ? end : `${end} × ${count}`,
  }
}

/** The entry without its actor as a plain text. */
export const tellChange = (entry: AuditEntry): string => {
  const { start, name = '', middle, into = '', end } = readSentence(entry)
  return `${start}${name}${middle}${into}${end}`
}

/** The entry without its actor: “banned Bob”. The target is an isolated text that leads to its page. */
export const describeChange = (entry: AuditEntry): ComponentChild => {
  const { start, name, middle, into, end } = readSentence(entry)
  const address = findThing(entry)
  return (
    <>
      {start}
      {name !== undefined &&
        (address === undefined ? (
          <bdi>{name}</bdi>
        ) : (
          <a href={address} title={entry.target}>
            <bdi>{name}</bdi>
          </a>
        ))}
      {middle}
      {into !== undefined && (
        <a href={linkTo(['people', into])}>
          <bdi>{into}</bdi>
        </a>
      )}
      {end}
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
