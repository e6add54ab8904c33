import { Lazy } from '../parts/lazy.tsx'
import { Loading } from '../parts/loading.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { tell } from '../parts/toasts.tsx'
import { call, refreshPermissions } from '../state/api.ts'
import { useLoad } from '../state/load.ts'
import { linkTo } from '../state/route.ts'
import { mayDo } from '../state/session.ts'
import { words } from '../words.ts'
import { drafts } from './drafts.ts'

const reload = async (): Promise<void> => {
  const { changed, restartNeeded, failed } = (await call('POST /api/admin/reload')).body
  await refreshPermissions()
  if (failed.length > 0) tell(words.groups.othersFailed(failed.map(({ name }) => name)))
  else tell(restartNeeded.length > 0 ? words.configs.restartNeeded(restartNeeded) : words.configs.reloaded(changed))
}

const Files = ({ names, current }: { readonly names: readonly string[]; readonly current: string | undefined }) => (
  <nav class="views files" aria-label={words.configs.files}>
    {names.map((name) => (
      <a key={name} href={linkTo(['configs', name])} aria-current={name === current ? 'page' : undefined}>
        {name} {drafts.value[name] !== undefined && <span class="badge warn">{words.configs.unsaved}</span>}
      </a>
    ))}
  </nav>
)

/** The config files of the server. */
export const ConfigsPage = ({ file }: { readonly file: string | undefined }) => {
  const names = useLoad(async (signal) => (await call('GET /api/admin/configs', { signal })).body, [])
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
      <Loading of={names}>
        {(all) => {
          const current = file ?? all[0]
          return (
            <>
              <Files names={all} current={current} />
              {current !== undefined && (
                <Lazy
                  name="config-file"
                  of={async () => (await import('./config-file.tsx')).ConfigFile}
                  props={{ name: current, key: current }}
                />
              )}
            </>
          )
        }}
      </Loading>
    </>
  )
}
