import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { ProblemError, UnreachableError } from '../../sdk/auth.ts'
import { askHow } from '../account/ask-how.ts'
import { Described } from '../parts/described.tsx'
import { Icon } from '../parts/icon.tsx'
import { Skeleton } from '../parts/loading.tsx'
import { Named } from '../parts/named.tsx'
import { describeProblem, ProblemBox } from '../parts/problem-box.tsx'
import { tell, tellDone } from '../parts/toasts.tsx'
import { call, connection, reloadAll } from '../state/api.ts'
import { health } from '../state/health.ts'
import { useEvery, useLoad } from '../state/load.ts'
import { linkTo } from '../state/route.ts'
import { mayDo, serverUrl } from '../state/session.ts'
import { words } from '../words.ts'
import { setServerKey } from './set-server-key.ts'

const refreshMs = 10_000
const dayMs = 86_400_000
const reportsMax = 50
const jobsMax = 50
const doneKey = 'gatehouse.setupHidden'

/** Runs a fix, and says what happened. Its answer offers the undo. */
const FixButton = ({
  label,
  fix,
  done,
}: {
  readonly label: string
  readonly fix: () => Promise<{ readonly requestId?: string }>
  readonly done: string
}) => {
  const [isBusy, setBusy] = useState(false)
  const act = async () => {
    setBusy(true)
    try {
      tellDone(done, await fix())
      reloadAll()
    } catch (error) {
      tell(describeProblem(error))
    }
    setBusy(false)
  }
  return (
    <button type="button" disabled={isBusy} onClick={() => void act()}>
      {isBusy ? words.working : label}
    </button>
  )
}

const askState = async (signal: AbortSignal) => {
  /** The first request that failed. The others still count, but nothing is called good. */
  let fault: unknown
  const orFault = <T,>(answer: Promise<T>): Promise<T | undefined> =>
    answer.catch((error: unknown) => {
      signal.throwIfAborted()
      // A server in the cloud refuses parts that it does not have, such as backups.
      if (!(error instanceof ProblemError) || error.problem.status >= 500) fault ??= error
      return undefined
    })
  const ifAllowed = async <T,>(permission: string, ask: () => Promise<T>): Promise<T | undefined> =>
    mayDo(permission) ? orFault(ask()) : undefined
  const [how, reports, jobs, backups, users, invitations, zones, server, modules, nodes] = await Promise.all([
    orFault(askHow()),
    ifAllowed('admin.sanctions.read', async () => {
      const query = { state: 'open', limit: reportsMax } as const
      return (await call('GET /api/admin/reports', { query, signal })).body.reports
    }),
    ifAllowed(
      'admin.jobs.read',
      async () => (await call('GET /api/admin/jobs', { query: { limit: jobsMax }, signal })).body.jobs,
    ),
    ifAllowed('admin.backups.read', async () => (await call('GET /api/admin/backups', { signal })).body.backups),
    ifAllowed('admin.users.read', async () => (await call('GET /api/admin/users', { query: { limit: 2 }, signal })).body.users),
    ifAllowed('admin.users.write', async () => (await call('GET /api/admin/invitations', { signal })).body.invitations),
    ifAllowed('admin.instances.read', async () => (await call('GET /api/admin/instances', { query: {}, signal })).body),
    ifAllowed(
      'admin.configs.read',
      async () => (await call('GET /api/admin/configs/{name}', { params: { name: 'server.yaml' }, signal })).body,
    ),
    ifAllowed('admin.modules.read', async () => (await call('GET /api/admin/modules', { signal })).body.modules),
    orFault(call('GET /api/realtime/nodes', { signal }).then(({ body }) => body.items)),
  ])
  // The previous answers stay.
  if (fault instanceof UnreachableError) throw fault
  return { how, reports, jobs, backups, users, invitations, zones, server, modules, nodes, fault }
}

type State = Awaited<ReturnType<typeof askState>>

type Item = {
  readonly key: string
  readonly text: ComponentChildren
  readonly action?: ComponentChildren
  readonly isBad?: boolean
}

const Open = ({ to, label }: { readonly to: readonly string[]; readonly label: string }) => (
  <a class="button" href={linkTo(to)}>
    {label}
  </a>
)

const filePattern = /\b([a-z][\w-]*\.yaml)\b/

/** Everything that an administrator should act on, with the action. */
const listItems = ({ reports, jobs, backups, modules, nodes }: State): readonly Item[] => {
  const items: Item[] = []
  for (const { name, ok, detail, neededFor } of health.value?.dependencies ?? [])
    if (!ok) items.push({ key: name, isBad: true, text: words.home.awayItem(name, detail ?? words.home.away, neededFor) })
  if (nodes?.length === 0)
    items.push({
      key: 'nodes',
      isBad: true,
      text: words.home.noNodes,
      action: mayDo('admin.worlds.read') && <Open to={['worlds']} label={words.home.showWorlds} />,
    })
  for (const warning of health.value?.warnings ?? []) {
    const file = filePattern.exec(warning)?.[1]
    items.push({
      key: warning,
      text: <Described text={warning} />,
      action:
        file === 'users.yaml'
          ? mayDo('admin.users.read') && <Open to={['people']} label={words.home.showAccounts} />
          : file !== undefined &&
            mayDo('admin.configs.read') && <Open to={['configs', file]} label={words.home.openFile(file)} />,
    })
  }
  for (const { name, state, fault } of modules ?? [])
    if (state === 'off' || state === 'failed')
      items.push({
        key: `module ${name}`,
        isBad: true,
        text: (
          <>
            <Named say={state === 'off' ? words.home.moduleOff : words.home.moduleFailed} names={[name]} />{' '}
            {fault !== undefined && (
              <bdi class="quiet">
                <Described text={fault.message} />
              </bdi>
            )}
          </>
        ),
        action: (
          <span class="actions">
            <Open to={['modules']} label={words.home.showModules} />
            {state === 'off' && mayDo('admin.modules.write') && (
              <FixButton
                label={words.modules.turnOnNamed(name)}
                done={words.modules.turnedOn(name)}
                fix={async () => {
                  await call('POST /api/admin/modules/{name}/enable', { params: { name } })
                  return {}
                }}
              />
            )}
          </span>
        ),
      })
  if (reports !== undefined && reports.length > 0)
    items.push({
      key: 'reports',
      text: words.home.reports(reports.length, reports.length === reportsMax),
      action: <Open to={['moderation']} label={words.home.review} />,
    })
  const failed = (jobs ?? []).filter(
    ({ state, finishedAt = '' }) => state === 'failed' && Date.parse(finishedAt) > Date.now() - dayMs,
  )
  if (failed.length > 0)
    items.push({
      key: 'jobs',
      text: words.home.failedJobs(failed.length),
      action: <Open to={['jobs']} label={words.home.showJobs} />,
    })
  const newest = backups?.[0]?.at
  if (backups !== undefined && (newest === undefined || Date.parse(newest) < Date.now() - 7 * dayMs))
    items.push({
      key: 'backup',
      text: newest === undefined ? words.home.neverBackedUp : words.home.oldBackup,
      action: mayDo('admin.backups.write') && (
        <FixButton
          label={words.home.backUpNow}
          done={words.backups.started}
          fix={async () => {
            await call('POST /api/admin/backups')
            return {}
          }}
        />
      ),
    })
  return items
}

type Step = { readonly key: string; readonly isDone: boolean; readonly text: string; readonly action?: ComponentChildren }

const isLocal = /^(localhost|127\.|\[::1\])/.test(location.hostname)

/** The steps from a new server to one for friends. A step that the user cannot see is left out. */
const listSteps = ({ how, backups, users, invitations, zones, server }: State): readonly Step[] => {
  const steps: Step[] = []
  const mayConfigure = mayDo('admin.configs.write')
  if (how?.provider === 'local')
    steps.push({
      key: 'password',
      isDone: how.requirePassword,
      text: words.home.setup.password,
      action: mayConfigure && mayDo('admin.users.write') && (
        <FixButton
          label={words.home.turnOn}
          done={words.home.passwordsOn}
          fix={() => setServerKey(['auth', 'local', 'requirePassword'], true)}
        />
      ),
    })
  if (users !== undefined)
    steps.push({
      key: 'invite',
      isDone: users.length > 1 || (invitations?.length ?? 0) > 0,
      text: words.home.setup.invite,
      action: <Open to={['people']} label={words.people.invite.act} />,
    })
  if (zones !== undefined)
    steps.push({
      key: 'zone',
      isDone: zones.length > 0,
      text: words.home.setup.zone,
      action: mayDo('admin.worlds.read') && <Open to={['map']} label={words.home.openMap} />,
    })
  if (backups !== undefined && server !== undefined)
    steps.push({
      key: 'backups',
      isDone: /^backups:(?:\s*#.*)?\n(?:\s*#.*\n|[ \t]+.*\n)*?[ \t]+every:/m.test(`${server}\n`),
      text: words.home.setup.backups,
      action: mayConfigure && mayDo('admin.backups.write') && (
        <FixButton label={words.home.turnOn} done={words.home.backupsOn} fix={() => setServerKey(['backups', 'every'], '1d')} />
      ),
    })
  steps.push({
    key: 'address',
    isDone: !isLocal,
    text: words.home.setup.address,
    action: <span class="quiet">{words.home.setup.addressHow}</span>,
  })
  steps.push({
    key: 'play',
    isDone: (users?.length ?? 0) > 1,
    text: words.home.setup.play,
    action: (
      <a class="button" href={`${serverUrl}/play`}>
        {words.play}
      </a>
    ),
  })
  return steps
}

const readHidden = (): boolean => {
  try {
    return localStorage.getItem(doneKey) === 'yes'
  } catch {
    return false
  }
}

const keepHidden = (): void => {
  try {
    localStorage.setItem(doneKey, 'yes')
  } catch {
    // The list comes back after a reload.
  }
}

const Setup = ({ steps }: { readonly steps: readonly Step[] }) => {
  const [isHidden, setHidden] = useState(readHidden)
  const done = steps.filter(({ isDone }) => isDone).length
  if (isHidden || done === steps.length) return null
  const hide = () => {
    setHidden(true)
    keepHidden()
  }
  return (
    <section class="card">
      <header class="card-head">
        <h2>{words.home.setup.title}</h2>
        <span class="quiet">
          {words.home.setup.done(done, steps.length)}{' '}
          <button type="button" class="link" onClick={hide}>
            {words.home.setup.hide}
          </button>
        </span>
      </header>
      <ul class="todo">
        {steps.map(({ key, isDone, text, action }) => (
          <li key={key} class={isDone ? 'done' : undefined}>
            <span class="tick">{isDone && <Icon name="check" />}</span>
            <span class="todo-text">
              {text}
              {isDone && <span class="sr-only">{words.home.setup.isDone}</span>}
            </span>
            {!isDone && action}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** What needs an action now, and the steps of a new server. */
export const Attention = () => {
  const state = useLoad(askState, [])
  useEvery(refreshMs, state.refresh)
  const { isLost } = connection.value
  if (state.value === undefined)
    return (
      <>
        <section class="card">
          <h2>{words.home.attention}</h2>
          {isLost ? <p class="quiet">{words.home.attentionAway}</p> : <Skeleton height={2.2} />}
        </section>
        {!readHidden() && (
          <section class="card">
            <h2>{words.home.setup.title}</h2>
            <Skeleton height={16} />
          </section>
        )}
      </>
    )
  const { fault } = state.value
  const items = listItems(state.value)
  const steps = listSteps(state.value)
  return (
    <>
      <section class="card">
        <h2>{words.home.attention}</h2>
        <ProblemBox error={isLost ? undefined : fault} retry={state.isLoading ? undefined : state.reload} />
        {isLost ? (
          <p class="quiet">{words.home.attentionAway}</p>
        ) : items.length === 0 && fault !== undefined ? null : items.length === 0 ? (
          <p class="all-good">
            <Icon name="check" /> {words.home.allGood}
          </p>
        ) : (
          <ul class="todo">
            {items.map(({ key, text, action, isBad = false }) => (
              <li key={key}>
                <span class={isBad ? 'bad-text' : 'warn-text'}>
                  <Icon name="warning" />
                </span>
                <span class="todo-text">{text}</span>
                {action}
              </li>
            ))}
          </ul>
        )}
      </section>
      {fault === undefined && <Setup steps={steps} />}
    </>
  )
}
