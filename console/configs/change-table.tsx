import { type DescribedChange, describeChange } from './describe-change.ts'
import type { DryRun } from './dry-run.ts'
import type { Schema } from './schema.ts'
import { pathOfPointer } from './schema-titles.ts'
import { words } from './words.ts'

type Change = DryRun['changes'][number]

const badges = { now: 'badge', reload: 'badge good', restart: 'badge warn' } as const

/** "Sign-in › Require a password: off → on". */
export const ChangeSentence = ({ of: { place, what } }: { readonly of: DescribedChange }) => (
  <>
    {place.slice(0, -1).map((title, at) => (
      <span key={at} class="quiet">
        <bdi>{title}</bdi> {words.configs.below}{' '}
      </span>
    ))}
    <strong>
      <bdi>{place.at(-1) ?? words.configs.wholeFile}</bdi>
    </strong>
    : <bdi>{what}</bdi>
  </>
)

type Props = {
  readonly of: DryRun
  readonly schema: Schema
  /** The stored values and those of the draft. They name the items of lists. */
  readonly before: unknown
  readonly after: unknown
}

/** The changes of a draft as sentences, each with the time when it applies. */
export const ChangeTable = ({ of: { changes, impact }, schema, before, after }: Props) => {
  const omitted = impact.changesOmitted ?? 0
  if (changes.length === 0) return <p class="quiet">{words.configs.onlyComments}</p>
  const describe = ({ pointer, from, to }: Change) =>
    describeChange(schema, { path: pathOfPointer(schema, pointer), from, to }, before, after)
  return (
    <>
      <ul class="plain-list change-list">
        {changes.map((change) => (
          <li key={change.pointer}>
            <span>
              <ChangeSentence of={describe(change)} />
            </span>{' '}
            <span class={badges[change.effect]}>{words.configs.applies[change.effect]}</span>
          </li>
        ))}
      </ul>
      {omitted > 0 && <p class="quiet">{words.configs.moreChanges(omitted)}</p>}
    </>
  )
}
