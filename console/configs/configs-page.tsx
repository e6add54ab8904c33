import type { Answer } from '../../sdk/admin.ts'
import { Lazy } from '../parts/lazy.tsx'
import { Loading } from '../parts/loading.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { tell } from '../parts/toasts.tsx'
import { call, refreshPermissions } from '../state/api.ts'
import { useEvery, useLoad } from '../state/load.ts'
import { linkTo } from '../state/route.ts'
import { mayDo } from '../state/session.ts'
import { drafts } from './drafts.ts'
import { words } from './words.ts'

const lookMs = 10_000

const reload = async (): Promise<void> => {
  const { changed, restartNeeded, failed } = (await call('POST /api/admin/reload')).body
  await refreshPermissions()
  if (failed.length > 0) tell(words.groups.othersFailed(failed.map(({ name }) => name)))
  else tell(words.configs.reloaded(changed, restartNeeded))
}

type Listed = Answer<'GET /api/admin/config-files'>['body'][number]

/** Files that most servers change come first. */
const firstFiles: readonly string[] = ['server.yaml', 'groups.yaml', 'worldgen.yaml']

const rankOf = (name: string): number => (firstFiles.includes(name) ? firstFiles.indexOf(name) : firstFiles.length)

const Files = ({ files, current }: { readonly files: readonly Listed[]; readonly current: string | undefined }) => (
  <nav class="settings-files" aria-label={words.configs.files}>
    <ul class="plain-list">
      {files.map(({ name, summary, isDefault }) => (
        <li key={name}>
          <a href={linkTo(['configs', name])} aria-current={name === current ? 'page' : undefined}>
            <span class="settings-file">
              <strong>{words.configs.titles[name] ?? name}</strong>
              {isDefault === false && (
                <span class="set-dot" role="img" aria-label={words.configs.differs} title={words.configs.differs} />
              )}
              {drafts.value[name] !== undefined && <span class="badge warn">{words.configs.unsaved}</span>}
            </span>
            <small>
              <code>{name}</code> {summary}
            </small>
          </a>
        </li>
      ))}
    </ul>
  </nav>
)

/** The config files of the server. */
export const ConfigsPage = ({ file }: { readonly file: string | undefined }) => {
  const files = useLoad(async (signal) => {
    const { body } = await call('GET /api/admin/config-files', { signal })
    return body.toSorted((one, other) => rankOf(one.name) - rankOf(other.name))
  }, [])
  useEvery(lookMs, files.refresh)
  const act = () => reload().catch((error: unknown) => tell(error instanceof Error ? error.message : String(error)))
  return (
    <>
      <PageHead title={words.pages.configs}>
        {mayDo('admin.server.reload') && (
          <button type="button" onClick={() => void act()}>
            {words.configs.reload}
          </button>
        )}
      </PageHead>
      <Loading of={files}>
        {(all) => {
          const current = file ?? all[0]?.name
          return (
            <div class="settings">
              <Files files={all} current={current} />
              {current !== undefined && (
                <div class="settings-content">
                  <Lazy
                    name="config-file"
                    of={async () => (await import('./config-file.tsx')).ConfigFile}
                    props={{ name: current, key: current }}
                  />
                </div>
              )}
            </div>
          )
        }}
      </Loading>
    </>
  )
}
