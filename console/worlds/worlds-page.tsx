import { useState } from 'preact/hooks'
import type { Answer } from '../../sdk/admin.ts'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { FormDialog } from '../parts/dialog.tsx'
import { Field } from '../parts/field.tsx'
import { Loading } from '../parts/loading.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { ProblemBox } from '../parts/problem-box.tsx'
import { formatSize } from '../parts/size.ts'
import { Time } from '../parts/time.tsx'
import { tell } from '../parts/toasts.tsx'
import { call, readExport } from '../state/api.ts'
import { useLoad } from '../state/load.ts'
import { mayDo } from '../state/session.ts'
import { words } from '../words.ts'
import { CommandsDialog } from './commands-dialog.tsx'
import { DeleteWorld, RenameWorld } from './move-dialogs.tsx'
import { PregenDialog } from './pregen-dialog.tsx'

type World = Answer<'GET /api/admin/worlds'>['body'][number]
type Node = Answer<'GET /api/realtime/nodes'>['body']['items'][number]

const count = new Intl.NumberFormat()

const CreateWorld = ({ close }: { readonly close: () => void }) => {
  const submit = async (fields: FormData): Promise<void> => {
    const name = String(fields.get('name')).trim()
    const seed = String(fields.get('seed')).trim()
    await call('POST /api/admin/worlds', { body: { name, ...(seed !== '' && { seed }) } })
    tell(words.worlds.made(name))
  }
  return (
    <FormDialog title={words.worlds.add} action={words.worlds.add} close={close} submit={submit}>
      <Field label={words.worlds.name} hint={words.worlds.nameHint}>
        <input name="name" required pattern="[A-Za-z0-9_\-]{1,64}" maxLength={64} autocomplete="off" />
      </Field>
      <Field label={words.worlds.seed} hint={words.worlds.seedHint}>
        <input name="seed" maxLength={64} autocomplete="off" />
      </Field>
    </FormDialog>
  )
}

type Doing = 'pregen' | 'rename' | 'delete' | 'commands'
/** The open dialog and its world. */
type Open = { readonly doing: Doing; readonly world: string }

/** Downloads a world as a file. */
const ExportButton = ({ world, onError }: { readonly world: string; readonly onError: (error: unknown) => void }) => {
  const [isBusy, setBusy] = useState(false)
  const save = async (): Promise<void> => {
    setBusy(true)
    onError(undefined)
    try {
      const link = document.createElement('a')
      link.href = URL.createObjectURL(await readExport(world))
      link.download = `${world}.world`
      link.click()
      // The download has started by the time the address is revoked.
      setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
    } catch (problem) {
      onError(problem)
    }
    setBusy(false)
  }
  return (
    <button type="button" aria-label={words.worlds.exportOf(world)} disabled={isBusy} onClick={() => void save()}>
      {isBusy ? words.worlds.exporting : words.worlds.exportAct}
    </button>
  )
}

type Acts = { readonly open: (open: Open) => void; readonly onError: (error: unknown) => void }

const createColumns = (nodes: readonly Node[], { open, onError }: Acts): readonly Column<World>[] => [
  {
    head: words.worlds.name,
    cell: ({ name, active, warning }) => (
      <>
        {name} {active && <span class="badge good">{words.worlds.active}</span>}
        {warning !== undefined && <p class="box box-warn">{warning}</p>}
      </>
    ),
  },
  { head: words.worlds.seed, cell: ({ seed }) => <code>{seed}</code> },
  { head: words.worlds.columns, cell: ({ chunkCount }) => count.format(chunkCount), isNumber: true },
  { head: words.worlds.size, cell: ({ sizeBytes }) => formatSize(sizeBytes), isNumber: true },
  { head: words.worlds.generator, cell: ({ generator }) => generator },
  {
    head: words.worlds.runs,
    isLong: true,
    cell: ({ name }) => {
      const urls = nodes.filter(({ world }) => world === name).map(({ url }) => url)
      return urls.length === 0 ? <span class="quiet">{words.worlds.nobody}</span> : <small>{urls.join(', ')}</small>
    },
  },
  { head: words.worlds.created, cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    head: words.players.actions,
    cell: ({ name }) => (
      <div class="actions">
        {mayDo('admin.worlds.write') && (
          <button type="button" aria-label={words.pregen.title(name)} onClick={() => open({ doing: 'pregen', world: name })}>
            {words.pregen.act}
          </button>
        )}
        <ExportButton world={name} onError={onError} />
        {mayDo('admin.worlds.write') && (
          <>
            <button
              type="button"
              aria-label={words.worlds.renameTitle(name)}
              onClick={() => open({ doing: 'rename', world: name })}
            >
              {words.worlds.renameOpen}
            </button>
            <button
              type="button"
              aria-label={words.worlds.commandsOf(name)}
              onClick={() => open({ doing: 'commands', world: name })}
            >
              {words.worlds.commands}
            </button>
            <button
              type="button"
              class="bad"
              aria-label={words.worlds.deleteLabel(name)}
              onClick={() => open({ doing: 'delete', world: name })}
            >
              {words.worlds.deleteOpen}
            </button>
          </>
        )}
      </div>
    ),
  },
]

/** Why a world cannot be renamed or deleted at the moment. */
const findObstacle = (isRunning: boolean, isActive: boolean): string | undefined => {
  if (isRunning) return words.worlds.running
  return isActive ? words.worlds.selected : undefined
}

type WorldDialogProps = {
  readonly opened: Open
  readonly worlds: readonly World[]
  readonly nodes: readonly Node[]
  readonly close: () => void
  readonly done: () => void
}

const WorldDialog = ({ opened: { doing, world }, worlds, nodes, close, done }: WorldDialogProps) => {
  const isRunning = nodes.some((node) => node.world === world)
  const obstacle = findObstacle(isRunning, worlds.find(({ name }) => name === world)?.active ?? false)
  if (doing === 'pregen') return <PregenDialog world={world} close={close} />
  if (doing === 'rename') return <RenameWorld world={world} obstacle={obstacle} close={close} done={done} />
  if (doing === 'delete') return <DeleteWorld world={world} obstacle={obstacle} close={close} done={done} />
  return <CommandsDialog world={world} isRunning={isRunning} close={close} />
}

/** All worlds, and the nodes that run them. */
export const WorldsPage = () => {
  const [isAdding, setAdding] = useState(false)
  const [opened, setOpened] = useState<Open>()
  const [error, setError] = useState<unknown>()
  const worlds = useLoad(async (signal) => {
    const [all, running] = await Promise.all([
      call('GET /api/admin/worlds', { signal }),
      call('GET /api/realtime/nodes', { signal }),
    ])
    return { worlds: all.body, nodes: running.body.items }
  }, [])
  const close = () => {
    setAdding(false)
    worlds.reload()
  }
  const closeDialog = () => setOpened(undefined)
  const moved = () => {
    closeDialog()
    worlds.reload()
  }
  return (
    <>
      <PageHead title={words.pages.worlds}>
        {mayDo('admin.worlds.write') && (
          <button type="button" class="main" onClick={() => setAdding(true)}>
            {words.worlds.add}
          </button>
        )}
      </PageHead>
      <ProblemBox error={error} />
      <Loading of={worlds}>
        {({ worlds: all, nodes }) => (
          <>
            <DataTable
              columns={createColumns(nodes, { open: setOpened, onError: setError })}
              rows={all}
              keyOf={({ name }) => name}
              empty={words.none}
            />
            {opened !== undefined && <WorldDialog opened={opened} worlds={all} nodes={nodes} close={closeDialog} done={moved} />}
          </>
        )}
      </Loading>
      {isAdding && <CreateWorld close={close} />}
    </>
  )
}
