import { useState } from 'preact/hooks'
import { Loading } from '../parts/loading.tsx'
import { Time } from '../parts/time.tsx'
import { call } from '../state/api.ts'
import { useLoad } from '../state/load.ts'
import { words } from '../words.ts'
import { CodeView } from './editor/code-view.tsx'

type Props = {
  readonly name: string
  /** The current draft, for comparison. */
  readonly text: string
  /** Makes an earlier text the draft; undefined if the user cannot edit. */
  readonly take: ((text: string) => void) | undefined
}

const Revision = ({ name, revision, text, take }: Props & { readonly revision: string }) => {
  const earlier = useLoad(
    async (signal) => {
      const { body } = await call('GET /api/admin/config-revisions/{name}', { params: { name }, query: { revision }, signal })
      return typeof body === 'string' ? body.replaceAll('\r\n', '\n') : ''
    },
    [name, revision],
  )
  return (
    <Loading of={earlier}>
      {(former) => (
        <>
          <p class="actions">
            {take !== undefined && (
              <button type="button" onClick={() => take(former)}>
                {words.configs.takeRevision}
              </button>
            )}
            {former === text && <span class="quiet">{words.configs.sameText}</span>}
          </p>
          <CodeView text={former} original={text} label={words.configs.revisionText} isReadOnly />
        </>
      )}
    </Loading>
  )
}

/** Earlier versions of a file, and their differences. */
export const Revisions = ({ name, text, take }: Props) => {
  const [chosen, setChosen] = useState<string>()
  const revisions = useLoad(
    async (signal) => {
      const { body } = await call('GET /api/admin/config-revisions/{name}', { params: { name }, query: {}, signal })
      return typeof body === 'string' ? [] : body
    },
    [name],
  )
  return (
    <Loading of={revisions}>
      {(all) =>
        all.length === 0 ? (
          <p class="quiet">{words.configs.noRevisions}</p>
        ) : (
          <>
            <ul class="plain-list">
              {all.map(({ revision, savedAt, savedBy }) => (
                <li key={revision}>
                  <button type="button" class="link" aria-pressed={chosen === revision} onClick={() => setChosen(revision)}>
                    <Time at={savedAt} exact />
                  </button>{' '}
                  <bdi class="quiet">{savedBy}</bdi>
                </li>
              ))}
            </ul>
            {chosen !== undefined && <Revision name={name} text={text} take={take} revision={chosen} />}
          </>
        )
      }
    </Loading>
  )
}
