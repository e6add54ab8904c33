import type { ComponentChild } from 'preact'
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

/** The entry without its actor: “banned Bob”. The target is an isolated text that leads to its page. */
export const describeChange = (entry: AuditEntry): ComponentChild => {
  const { action, target, before, after, count } = entry
  const sentence = findSanction(entry) ?? findSentence(action) ?? words.activityOther(action)
  const address = findThing(entry)
  const name = <bdi>{nameIn(after) ?? nameIn(before) ?? target}</bdi>
  const [start = '', end = ''] = sentence.split('{}')
  return (
    <>
      {start}
      {sentence.includes('{}') &&
        (address === undefined ? (
          name
        ) : (
          <a href={address} title={target}>
            {name}
          </a>
        ))}
      {end}
      {count !== undefined && ` × ${count}`}
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
