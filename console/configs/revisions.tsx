import { useState } from 'preact/hooks'
import type { Answer } from '../../sdk/admin.ts'
import { Loading } from '../parts/loading.tsx'
import { Time } from '../parts/time.tsx'
import { call } from '../state/api.ts'
import { useLoad } from '../state/load.ts'
import { ChangeSentence } from './change-table.tsx'
import { readValues } from './config-document.ts'
import { compareValues, type DescribedChange, describeChange } from './describe-change.ts'
import { LazyTextDifference } from './editor/lazy-editors.tsx'
import type { Schema } from './schema.ts'
import { words } from './words.ts'

type Listed = Answer<'GET /api/admin/config-files'>['body'][number]

/** A stored text, newest first. The first one is active. */
type Version = {
  readonly revision: string | undefined
  readonly savedAt: string | undefined
  readonly savedBy: string
  readonly text: string
}

const shownMax = 4

const readText = async (name: string, revision: string, signal: AbortSignal): Promise<string> => {
  const { body } = await call('GET /api/admin/config-revisions/{name}', { params: { name }, query: { revision }, signal })
  return typeof body === 'string' ? body.replaceAll('\r\n', '\n') : ''
}

const askVersions = async (name: string, saved: string, signal: AbortSignal): Promise<readonly Version[]> => {
  const [{ body: files }, { body: listed }] = await Promise.all([
    call('GET /api/admin/config-files', { signal }),
    call('GET /api/admin/config-revisions/{name}', { params: { name }, query: {}, signal }),
  ])
  const current: Listed | undefined = files.find((file) => file.name === name)
  const earlier = await Promise.all(
    (typeof listed === 'string' ? [] : listed).map(async ({ revision, savedAt, savedBy }) => ({
      revision,
      savedAt,
      savedBy,
      text: await readText(name, revision, signal),
    })),
  )
  return [{ revision: undefined, savedAt: current?.savedAt, savedBy: current?.savedBy ?? 'default', text: saved }, ...earlier]
}

/** What a version changed; undefined if a text is not valid YAML. */
const describeVersion = (schema: Schema, text: string, before: string | undefined): readonly DescribedChange[] | undefined => {
  if (before === undefined) return []
  const [was, is] = [readValues(before), readValues(text)]
  if (was === undefined || is === undefined) return undefined
  return compareValues(was.values, is.values).map((change) => describeChange(schema, change, was.values, is.values))
}

const Author = ({ savedBy }: { readonly savedBy: string }) => {
  if (savedBy === 'default') return <>{words.configs.authors.default}</>
  if (savedBy === 'file') return <>{words.configs.authors.file}</>
  return <bdi>{savedBy}</bdi>
}

const Summary = ({
  changes,
  isFirst,
}: {
  readonly changes: readonly DescribedChange[] | undefined
  readonly isFirst: boolean
}) => {
  if (isFirst) return <span class="quiet">{words.configs.oldest}</span>
  if (changes === undefined) return <span class="quiet">{words.configs.notComparable}</span>
  if (changes.length === 0) return <span class="quiet">{words.configs.onlyComments}</span>
  return (
    <ul class="plain-list version-changes">
      {changes.slice(0, shownMax).map((change, at) => (
        <li key={at}>
          <ChangeSentence of={change} />
        </li>
      ))}
      {changes.length > shownMax && <li class="quiet">{words.configs.moreChanges(changes.length - shownMax)}</li>}
    </ul>
  )
}

type Props = {
  readonly name: string
  readonly schema: Schema
  /** The stored text. */
  readonly saved: string
  /** The current draft, for comparison. */
  readonly text: string
  /** Makes an earlier text the draft; undefined if the user cannot edit. */
  readonly take: ((text: string) => void) | undefined
}

/** The stored versions of a file with their authors and changes. The first one is active. */
export const Revisions = ({ name, schema, saved, text, take }: Props) => {
  const [chosen, setChosen] = useState<string>()
  const versions = useLoad((signal) => askVersions(name, saved, signal), [name, saved])
  return (
    <Loading of={versions}>
      {(all) => (
        <ol class="plain-list versions">
          {all.map((version, at) => (
            <li key={version.revision ?? 'current'} class={at === 0 ? 'version current' : 'version'}>
              <div class="version-head">
                <strong>
                  <Author savedBy={version.savedBy} />
                </strong>
                {version.savedAt !== undefined && version.savedBy !== 'default' && <Time at={version.savedAt} />}
                {at === 0 && <span class="badge good">{words.configs.current}</span>}
                {version.revision !== undefined && (
                  <button
                    type="button"
                    aria-expanded={chosen === version.revision}
                    onClick={() => setChosen(chosen === version.revision ? undefined : version.revision)}
                  >
                    {words.configs.compare}
                  </button>
                )}
              </div>
              <Summary changes={describeVersion(schema, version.text, all[at + 1]?.text)} isFirst={at === all.length - 1} />
              {chosen !== undefined && chosen === version.revision && (
                <div class="version-text">
                  <p class="actions">
                    {take !== undefined && version.text !== text && (
                      <>
                        <button type="button" class="main" onClick={() => take(version.text)}>
                          {words.configs.takeRevision}
                        </button>
                        <small>{words.configs.takeHint}</small>
                      </>
                    )}
                    {version.text === text && <span class="quiet">{words.configs.sameText}</span>}
                  </p>
                  <LazyTextDifference text={version.text} original={text} label={words.configs.revisionText} />
                </div>
              )}
            </li>
          ))}
        </ol>
      )}
    </Loading>
  )
}
