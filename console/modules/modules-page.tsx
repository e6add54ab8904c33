import { useState } from 'preact/hooks'
import { type Answer, ProblemError } from '../../sdk/admin.ts'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { FormDialog } from '../parts/dialog.tsx'
import { Loading } from '../parts/loading.tsx'
import { Named } from '../parts/named.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { ProblemBox } from '../parts/problem-box.tsx'
import { Time } from '../parts/time.tsx'
import { tell } from '../parts/toasts.tsx'
import { call } from '../state/api.ts'
import { useEvery, useLoad } from '../state/load.ts'
import { linkTo } from '../state/route.ts'
import { mayDo } from '../state/session.ts'
import { words } from '../words.ts'
import { PlayerData } from './player-data.tsx'

type Module = Answer<'GET /api/admin/modules'>['body']['modules'][number]

const refreshMs = 3000
/** A tick has 50 ms at 20 ticks a second. */
const tickMs = 50

const badgeOf = { running: 'good', disabled: '', slowed: 'warn', off: 'bad', failed: 'bad' } as const

const State = ({ of: { state, required } }: { readonly of: Module }) => (
  <>
    <span class={`badge state ${badgeOf[state]}`}>{words.modules.states[state]}</span>
    {required && <span class="badge state">{words.modules.required}</span>}
  </>
)

const Fault = ({ of: { faults, fault } }: { readonly of: Module }) => {
  if (fault === undefined) return <span class="quiet">{words.modules.noFaults}</span>
  const { at, id, message, handler, file, line, column } = fault
  const place = [file, line, column].filter((part) => part !== undefined).join(':')
  return (
    <>
      <bdi>{message}</bdi>{' '}
      <span class="quiet">
        {handler !== undefined && <code>{handler}</code>} {place !== '' && <code>{place}</code>} <Time at={at} /> ·{' '}
        {words.modules.faultId} <code>{id}</code>
        {faults > 1 && <> · {words.modules.faults(faults)}</>}
      </span>
    </>
  )
}

const Cost = ({ of: { msPerTick } }: { readonly of: Module }) => (
  <>
    {words.modules.milliseconds(msPerTick)} <span class="quiet">{words.modules.share((msPerTick / tickMs) * 100)}</span>
  </>
)

/** The handler with the most time, and the next two. */
const Handlers = ({ of: { handlers } }: { readonly of: Module }) =>
  handlers.length === 0 ? (
    <span class="quiet">{words.none}</span>
  ) : (
    <ol class="plain-list">
      {handlers.slice(0, 3).map(({ handler, msPerCall, longestMs }) => (
        <li key={handler}>
          <code>{handler}</code> <span class="quiet">{words.modules.perCall(msPerCall, longestMs)}</span>
        </li>
      ))}
    </ol>
  )

type Actions = { readonly reload: (name: string) => void; readonly turn: (name: string, isOn: boolean) => void }

/** The settings of a module as a form, with the text of modules.yaml beside it. */
const settingsOf = (name: string): string =>
  linkTo(['configs', 'modules.yaml'], { view: 'form', beside: 'text', open: `/modules/${name}/settings` })

const createColumns = (showData: (name: string) => void, actions: Actions | undefined): readonly Column<Module>[] => [
  {
    head: words.modules.name,
    cell: ({ name, version }) => (
      <>
        <bdi>{name}</bdi> {version !== '' && <span class="quiet">{version}</span>}
      </>
    ),
  },
  { head: words.modules.state, cell: (module) => <State of={module} /> },
  { head: words.modules.cost, cell: (module) => <Cost of={module} /> },
  { head: words.modules.slowest, cell: (module) => <Handlers of={module} /> },
  { head: words.modules.lastFault, cell: (module) => <Fault of={module} />, isLong: true },
  {
    head: words.modules.commands,
    cell: ({ commands, state }) =>
      commands.length === 0 ? (
        // A module declares its commands while it is loaded.
        <span class="quiet">{state === 'running' || state === 'slowed' ? words.none : words.modules.commandsUnknown}</span>
      ) : (
        <code>{commands.map((name) => `/${name}`).join(' ')}</code>
      ),
  },
  {
    head: words.players.actions,
    cell: ({ name, state }) => (
      <span class="actions">
        {mayDo('admin.configs.read') && (
          <a href={settingsOf(name)} aria-label={words.modules.settingsNamed(name)}>
            {words.modules.settingsOf}
          </a>
        )}
        <button type="button" aria-label={words.modules.playerDataNamed(name)} onClick={() => showData(name)}>
          {words.modules.playerData}
        </button>
        {actions !== undefined && state !== 'disabled' && (
          <button type="button" aria-label={words.modules.reloadNamed(name)} onClick={() => actions.reload(name)}>
            {words.modules.reload}
          </button>
        )}
        {actions !== undefined &&
          (state === 'disabled' || state === 'off' ? (
            <button type="button" aria-label={words.modules.turnOnNamed(name)} onClick={() => actions.turn(name, true)}>
              {words.modules.turnOn}
            </button>
          ) : (
            <button
              type="button"
              class="bad"
              aria-label={words.modules.turnOffNamed(name)}
              onClick={() => actions.turn(name, false)}
            >
              {words.modules.turnOff}
            </button>
          ))}
      </span>
    ),
  },
]

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
        <li key={what}>{what}</li>
      ))}
    </ul>
  </FormDialog>
)

/** The modules of the server: their state, their cost, their faults, and buttons to reload them or turn them off. */
export const ModulesPage = () => {
  const modules = useLoad(async (signal) => (await call('GET /api/admin/modules', { signal })).body.modules, [])
  const [loss, setLoss] = useState<Loss>()
  const [off, setOff] = useState<string>()
  const [shown, setShown] = useState<string>()
  const [error, setError] = useState<unknown>()
  useEvery(refreshMs, modules.refresh)
  const act = async (work: () => Promise<void>, name: string): Promise<void> => {
    setError(undefined)
    try {
      await work()
    } catch (problem) {
      const found = findLoss(name, problem)
      if (found === undefined) setError(problem)
      else setLoss(found)
    }
    modules.reload()
  }
  const actions: Actions | undefined = mayDo('admin.modules.write')
    ? {
        reload: (name) => void act(() => reloadModule(name, false), name),
        turn: (name, isOn) => {
          if (!isOn) {
            setOff(name)
            return
          }
          void act(async () => {
            await call('POST /api/admin/modules/{name}/enable', { params: { name } })
            tell(<Named say={words.modules.turnedOn} names={[name]} />)
          }, name)
        },
      }
    : undefined
  const closeLoss = () => setLoss(undefined)
  const closeOff = () => setOff(undefined)
  return (
    <>
      <PageHead title={words.pages.modules}>
        {mayDo('admin.configs.read') && <a href={linkTo(['configs', 'modules.yaml'])}>{words.modules.settings}</a>}
      </PageHead>
      <p class="quiet">{words.modules.lead}</p>
      <ProblemBox error={error} />
      <Loading of={modules}>
        {(all) => (
          <DataTable
            columns={createColumns(setShown, actions)}
            rows={all}
            keyOf={({ name }) => name}
            empty={words.modules.empty}
          />
        )}
      </Loading>
      {loss !== undefined && (
        <LossDialog
          loss={loss}
          close={closeLoss}
          done={() => {
            closeLoss()
            modules.reload()
          }}
        />
      )}
      {shown !== undefined && <PlayerData name={shown} close={() => setShown(undefined)} />}
      {off !== undefined && (
        <FormDialog
          title={<Named say={words.modules.offTitle} names={[off]} />}
          action={words.modules.turnOff}
          isBad
          close={closeOff}
          done={() => {
            closeOff()
            modules.reload()
          }}
          submit={async () => {
            await call('POST /api/admin/modules/{name}/disable', { params: { name: off } })
            tell(<Named say={words.modules.turnedOff} names={[off]} />)
          }}
        >
          <p>{words.modules.offLead}</p>
        </FormDialog>
      )}
    </>
  )
}
