import type { ComponentChild } from 'preact'
import { useState } from 'preact/hooks'
import { type Answer, ProblemError } from '../../sdk/admin.ts'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { Described } from '../parts/described.tsx'
import { FormDialog } from '../parts/dialog.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { Loading } from '../parts/loading.tsx'
import { MenuItem } from '../parts/menu.tsx'
import { Named } from '../parts/named.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { PagedList } from '../parts/paged-list.tsx'
import { ProblemBox } from '../parts/problem-box.tsx'
import { Time } from '../parts/time.tsx'
import { tell } from '../parts/toasts.tsx'
import { call } from '../state/api.ts'
import { type Loaded, useEvery, useLoad } from '../state/load.ts'
import { linkTo } from '../state/route.ts'
import { mayDo } from '../state/session.ts'
import { words } from '../words.ts'
import { PlayerData } from './player-data.tsx'

type Module = Answer<'GET /api/admin/modules'>['body']['modules'][number]

const refreshMs = 3000
/** A tick has 50 ms at 20 ticks a second. */
const tickMs = 50

const Nothing = () => <span class="quiet">{words.none}</span>

const badgeOf = { running: 'good', disabled: '', slowed: 'warn', off: 'bad', failed: 'bad' } as const

const isRunning = ({ state }: Module): boolean => state === 'running' || state === 'slowed'

const State = ({ of: { state, reason, required } }: { readonly of: Module }) => (
  <>
    <span class={`badge state ${badgeOf[state]}`}>{words.modules.states[state]}</span>
    {required && <span class="badge state">{words.modules.required}</span>} {reason && <small class="quiet">{reason}</small>}
  </>
)

const Fault = ({ of: { faults, fault } }: { readonly of: Module }) => {
  if (fault === undefined) return <Nothing />
  const { at, id, message, handler, file, line, column } = fault
  const place = [file, line, column].filter((part) => part !== undefined).join(':')
  return (
    <>
      <bdi>
        <Described text={message} />
      </bdi>{' '}
      <span class="quiet">
        {handler !== undefined && <code>{handler}</code>} {place !== '' && <code>{place}</code>} <Time at={at} /> ·{' '}
        {words.modules.faultId} <code>{id}</code>
        {faults > 1 && <> · {words.modules.faults(faults)}</>}
      </span>
    </>
  )
}

const Cost = ({ of: module }: { readonly of: Module }) =>
  isRunning(module) ? (
    <>
      {words.modules.milliseconds(module.msPerTick)}{' '}
      <span class="quiet">{words.modules.share((module.msPerTick / tickMs) * 100)}</span>
    </>
  ) : (
    <Nothing />
  )

const Commands = ({ of: module }: { readonly of: Module }) => {
  const { commands } = module
  if (commands.length > 0) return <code>{commands.map((name) => `/${name}`).join(' ')}</code>
  // A module declares its commands while it is loaded.
  return isRunning(module) ? <Nothing /> : <span class="quiet">{words.modules.commandsUnknown}</span>
}

type Actions = {
  readonly showData: () => void
  /** Absent if the user is not allowed to. */
  readonly reload: (() => void) | undefined
  readonly turn: ((isOn: boolean) => void) | undefined
}

/** The settings of a module as a form, with the text of modules.yaml beside it. */
const settingsOf = (name: string): string =>
  linkTo(['configs', 'modules.yaml'], { view: 'form', beside: 'text', open: `/modules/${name}/settings` })

const isTurnedOff = ({ state }: Module): boolean => state === 'disabled' || state === 'off'

/** The actions on a module in its menu. */
const Items = ({ of: module, actions: { showData, reload, turn } }: { readonly of: Module; readonly actions: Actions }) => (
  <>
    {mayDo('admin.configs.read') && (
      <MenuItem icon="configs" href={settingsOf(module.name)}>
        {words.modules.settingsOf}
      </MenuItem>
    )}
    <MenuItem icon="people" act={showData}>
      {words.modules.playerDataOpen}
    </MenuItem>
    {reload !== undefined && module.state !== 'disabled' && <MenuItem act={reload}>{words.modules.reload}</MenuItem>}
    {turn !== undefined &&
      (isTurnedOff(module) ? (
        <MenuItem act={() => turn(true)}>{words.modules.turnOn}</MenuItem>
      ) : (
        <MenuItem isBad act={() => turn(false)}>
          {words.modules.turnOffOpen}
        </MenuItem>
      ))}
  </>
)

const columns: readonly Column<Module>[] = [
  {
    head: words.modules.name,
    sort: ({ name }) => name,
    text: ({ name, version }) => `${name} ${version}`.trim(),
    cell: ({ name, version }) => (
      <>
        <a href={linkTo(['modules', name])}>
          <bdi>{name}</bdi>
        </a>{' '}
        {version !== '' && <span class="quiet">{version}</span>}
      </>
    ),
  },
  {
    head: words.modules.state,
    sort: ({ state }) => words.modules.states[state],
    text: ({ state }) => words.modules.states[state],
    cell: (module) => <State of={module} />,
  },
  {
    head: words.modules.cost,
    sort: ({ msPerTick }) => msPerTick,
    text: ({ msPerTick }) => String(msPerTick),
    cell: (module) => <Cost of={module} />,
  },
  {
    head: words.modules.slowest,
    text: ({ handlers }) => handlers[0]?.handler ?? '',
    cell: ({ handlers: [slowest] }) => (slowest === undefined ? <Nothing /> : <code>{slowest.handler}</code>),
  },
  {
    head: words.modules.lastFault,
    sort: ({ fault }) => fault?.at ?? '',
    text: ({ fault }) => fault?.message ?? '',
    cell: (module) => <Fault of={module} />,
    isLong: true,
  },
  {
    head: words.modules.commands,
    sort: ({ commands }) => commands.length,
    text: ({ commands }) => commands.map((name) => `/${name}`).join(' '),
    cell: (module) => <Commands of={module} />,
    isLong: true,
  },
]

type Handler = Module['handlers'][number]

const handlerColumns: readonly Column<Handler>[] = [
  {
    head: words.modules.handler,
    sort: ({ handler }) => handler,
    text: ({ handler }) => handler,
    cell: ({ handler }) => <code>{handler}</code>,
    isLong: true,
  },
  {
    head: words.modules.calls,
    isNumber: true,
    sort: ({ calls }) => calls,
    text: ({ calls }) => String(calls),
    cell: ({ calls }) => calls,
  },
  {
    head: words.modules.perCallHead,
    isNumber: true,
    sort: ({ msPerCall }) => msPerCall,
    text: ({ msPerCall }) => String(msPerCall),
    cell: ({ msPerCall }) => words.modules.milliseconds(msPerCall),
  },
  {
    head: words.modules.longest,
    isNumber: true,
    sort: ({ longestMs }) => longestMs,
    text: ({ longestMs }) => String(longestMs),
    cell: ({ longestMs }) => words.modules.milliseconds(longestMs),
  },
]

const Facts = ({ of: module }: { readonly of: Module }) => (
  <section class="card wide-card">
    <h2>{words.modules.facts}</h2>
    <dl class="facts">
      <dt>{words.modules.version}</dt>
      <dd>{module.version === '' ? <Nothing /> : module.version}</dd>
      <dt>{words.modules.cost}</dt>
      <dd>
        <Cost of={module} />
      </dd>
      <dt>{words.modules.commands}</dt>
      <dd>
        <Commands of={module} />
      </dd>
      <dt>{words.modules.permissions}</dt>
      <dd>{module.permissions.length === 0 ? <Nothing /> : <code>{module.permissions.join(' ')}</code>}</dd>
      <dt>{words.modules.messages}</dt>
      <dd>{module.messages.length === 0 ? <Nothing /> : <code>{module.messages.join(' ')}</code>}</dd>
      <dt>{words.modules.entities}</dt>
      <dd>{module.entities}</dd>
      <dt>{words.modules.faultCount}</dt>
      <dd>{module.faults}</dd>
      <dt>{words.modules.lastFault}</dt>
      <dd>
        <Fault of={module} />
      </dd>
    </dl>
  </section>
)

type AsideValue = Answer<'GET /api/admin/modules/{name}/set-aside'>['body']['values'][number]

const placeOf = ({ of, record, id }: AsideValue): string => `${words.modules.valueOf[of]} ${record ?? ''} ${id}`

const asideColumns: readonly Column<AsideValue>[] = [
  { head: words.modules.valueHead, text: placeOf, cell: (value) => <bdi>{placeOf(value)}</bdi>, isLong: true },
  { head: words.modules.why, text: ({ fault }) => fault, cell: ({ fault }) => fault, isLong: true },
  { head: words.modules.asideAt, sort: ({ at }) => at, text: ({ at }) => at, cell: ({ at }) => <Time at={at} /> },
  {
    head: words.modules.data,
    text: ({ value }) => JSON.stringify(value),
    cell: ({ value }) => <code>{JSON.stringify(value)}</code>,
    isLong: true,
  },
]

/** Stored values that the schemas of a module could not read. */
const SetAside = ({ of: { name, setAside } }: { readonly of: Module }) => (
  <section class="card wide-card">
    <h2>{words.modules.setAside}</h2>
    <p class="quiet">{words.modules.setAsideLead}</p>
    <PagedList
      keys={[name, setAside]}
      ask={async (query, signal) => {
        const { values, nextCursor } = (
          await call('GET /api/admin/modules/{name}/set-aside', { params: { name }, query, signal })
        ).body
        return { items: values, nextCursor }
      }}
    >
      {(values) => (
        <DataTable
          columns={asideColumns}
          rows={values}
          keyOf={(value) => `${placeOf(value)} ${value.at}`}
          counted={words.modules.valuesCounted}
          csvName={`set-aside-${name}`}
          empty={words.none}
        />
      )}
    </PagedList>
  </section>
)

/** One module: its facts, faults, data and the time of each handler. */
const ModuleDetails = ({
  name,
  modules,
  actions,
  problem,
}: {
  readonly name: string
  readonly modules: Loaded<readonly Module[]>
  readonly actions: Actions
  readonly problem: ComponentChild
}) => {
  const found = modules.value?.find((one) => one.name === name)
  return (
    <>
      <PageHead title={name} badge={found !== undefined && <State of={found} />}>
        <a href={linkTo(['modules'])}>{words.modules.all}</a>
        {found !== undefined && (
          <>
            {mayDo('admin.configs.read') && (
              <a class="button" href={settingsOf(name)}>
                {words.modules.settingsOf}
              </a>
            )}
            <button type="button" onClick={actions.showData}>
              {words.modules.playerDataOpen}
            </button>
            {actions.reload !== undefined && found.state !== 'disabled' && (
              <button type="button" onClick={actions.reload}>
                {words.modules.reload}
              </button>
            )}
            {actions.turn !== undefined && (
              <button
                type="button"
                class={isTurnedOff(found) ? 'main' : 'bad'}
                onClick={() => actions.turn?.(isTurnedOff(found))}
              >
                {isTurnedOff(found) ? words.modules.turnOn : words.modules.turnOffOpen}
              </button>
            )}
          </>
        )}
      </PageHead>
      {problem}
      <Loading of={modules}>
        {() =>
          found === undefined ? (
            <EmptyState icon="modules" text={words.modules.unknown} />
          ) : (
            <div class="cards">
              <Facts of={found} />
              <section class="card wide-card">
                <h2>{words.modules.handlers}</h2>
                <DataTable
                  columns={handlerColumns}
                  rows={found.handlers}
                  keyOf={({ handler }) => handler}
                  counted={words.modules.handlersCounted}
                  csvName={`module-${name}`}
                  empty={words.modules.noHandlers}
                />
              </section>
              {found.setAside > 0 && <SetAside of={found} />}
            </div>
          )
        }
      </Loading>
    </>
  )
}

/** What a reload would lose, as the server lists it. */
type Loss = { readonly name: string; readonly lost: readonly string[] }

const findLoss = (name: string, error: unknown): Loss | undefined => {
  if (!(error instanceof ProblemError) || error.code !== 'would-lose') return undefined
  const { lost } = error.problem
  return { name, lost: Array.isArray(lost) ? lost.map(String) : [] }
}

const reloadModule = async (name: string, yes: boolean): Promise<void> => {
  await call('POST /api/admin/modules/{name}/reload', { params: { name }, body: yes ? { yes } : {} })
  tell(<Named say={words.modules.reloaded} names={[name]} />)
}

const LossDialog = ({ loss, close, done }: { readonly loss: Loss; readonly close: () => void; readonly done: () => void }) => (
  <FormDialog
    title={<Named say={words.modules.lossTitle} names={[loss.name]} />}
    action={words.modules.reloadAnyway}
    isBad
    close={close}
    done={done}
    submit={() => reloadModule(loss.name, true)}
  >
    <p>{words.modules.lossLead}</p>
    <ul>
      {loss.lost.map((what) => (
        <li key={what}>
          <Described text={what} />
        </li>
      ))}
    </ul>
  </FormDialog>
)

const TurnOffDialog = ({
  name,
  close,
  done,
}: {
  readonly name: string
  readonly close: () => void
  readonly done: () => void
}) => (
  <FormDialog
    title={<Named say={words.modules.offTitle} names={[name]} />}
    action={words.modules.turnOff}
    isBad
    close={close}
    done={done}
    submit={async () => {
      await call('POST /api/admin/modules/{name}/disable', { params: { name } })
      tell(<Named say={words.modules.turnedOff} names={[name]} />)
    }}
  >
    <p>{words.modules.offLead}</p>
  </FormDialog>
)

/** The modules of the server in a table, or one of them by its name. */
export const ModulesPage = ({ name }: { readonly name: string | undefined }) => {
  const modules = useLoad(async (signal) => (await call('GET /api/admin/modules', { signal })).body.modules, [])
  const [loss, setLoss] = useState<Loss>()
  const [off, setOff] = useState<string>()
  const [shown, setShown] = useState<string>()
  const [error, setError] = useState<unknown>()
  useEvery(refreshMs, modules.refresh)
  const act = async (module: string, work: () => Promise<void>): Promise<void> => {
    setError(undefined)
    try {
      await work()
    } catch (problem) {
      const found = findLoss(module, problem)
      if (found === undefined) setError(problem)
      else setLoss(found)
    }
    modules.reload()
  }
  const turnOn = async (module: string): Promise<void> => {
    await call('POST /api/admin/modules/{name}/enable', { params: { name: module } })
    tell(<Named say={words.modules.turnedOn} names={[module]} />)
  }
  const mayWrite = mayDo('admin.modules.write')
  const actionsOf = (module: string): Actions => ({
    showData: () => setShown(module),
    reload: mayWrite ? () => void act(module, () => reloadModule(module, false)) : undefined,
    turn: mayWrite ? (isOn) => (isOn ? void act(module, () => turnOn(module)) : setOff(module)) : undefined,
  })
  const closeDialog = () => {
    setLoss(undefined)
    setOff(undefined)
  }
  const done = () => {
    closeDialog()
    modules.reload()
  }
  const problem = <ProblemBox error={error} />
  return (
    <>
      {name === undefined ? (
        <>
          <PageHead title={words.pages.modules}>
            {mayDo('admin.configs.read') && <a href={linkTo(['configs', 'modules.yaml'])}>{words.modules.settings}</a>}
          </PageHead>
          <p class="quiet">{words.modules.lead}</p>
          {problem}
          <Loading of={modules}>
            {(all) => (
              <DataTable
                columns={columns}
                rows={all}
                keyOf={(module) => module.name}
                hrefOf={(module) => linkTo(['modules', module.name])}
                menu={(module) => <Items of={module} actions={actionsOf(module.name)} />}
                menuLabel={(module) => words.modules.actionsOf(module.name)}
                counted={words.modules.counted}
                csvName="modules"
                empty={<EmptyState icon="modules" text={words.modules.empty} />}
              />
            )}
          </Loading>
        </>
      ) : (
        <ModuleDetails name={name} modules={modules} actions={actionsOf(name)} problem={problem} />
      )}
      {loss !== undefined && <LossDialog loss={loss} close={closeDialog} done={done} />}
      {shown !== undefined && <PlayerData name={shown} close={() => setShown(undefined)} />}
      {off !== undefined && <TurnOffDialog name={off} close={closeDialog} done={done} />}
    </>
  )
}
