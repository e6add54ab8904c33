import { useState } from 'preact/hooks'
import type { Answer } from '../../sdk/admin.ts'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { FormDialog } from '../parts/dialog.tsx'
import { Field } from '../parts/field.tsx'
import { Loading } from '../parts/loading.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { formatSize } from '../parts/size.ts'
import { Time } from '../parts/time.tsx'
import { tell } from '../parts/toasts.tsx'
import { call } from '../state/api.ts'
import { useLoad } from '../state/load.ts'
import { mayDo } from '../state/session.ts'
import { words } from '../words.ts'
import { CommandsDialog } from './commands-dialog.tsx'
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

type Acts = { readonly pregen: (world: string) => void; readonly showCommands: (world: string) => void }

const createColumns = (nodes: readonly Node[], { pregen, showCommands }: Acts): readonly Column<World>[] => [
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
  ...(mayDo('admin.worlds.write')
    ? [
        {
          head: words.players.actions,
          cell: ({ name }: World) => (
            <div class="actions">
              <button type="button" aria-label={words.pregen.title(name)} onClick={() => pregen(name)}>
                {words.pregen.act}
              </button>
              <button type="button" aria-label={words.worlds.commandsOf(name)} onClick={() => showCommands(name)}>
                {words.worlds.commands}
              </button>
            </div>
          ),
        },
      ]
    : []),
]

/** Every world, and who runs it. */
export const WorldsPage = () => {
  const [isAdding, setAdding] = useState(false)
  const [generated, setGenerated] = useState<string>()
  const [commanded, setCommanded] = useState<string>()
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
  return (
    <>
      <PageHead title={words.pages.worlds}>
        {mayDo('admin.worlds.write') && (
          <button type="button" class="main" onClick={() => setAdding(true)}>
            {words.worlds.add}
          </button>
        )}
      </PageHead>
      <Loading of={worlds}>
        {({ worlds: all, nodes }) => (
          <>
            <DataTable
              columns={createColumns(nodes, { pregen: setGenerated, showCommands: setCommanded })}
              rows={all}
              keyOf={({ name }) => name}
              empty={words.none}
            />
            {commanded !== undefined && (
              <CommandsDialog
                world={commanded}
                isRunning={nodes.some(({ world }) => world === commanded)}
                close={() => setCommanded(undefined)}
              />
            )}
          </>
        )}
      </Loading>
      {isAdding && <CreateWorld close={close} />}
      {generated !== undefined && <PregenDialog world={generated} close={() => setGenerated(undefined)} />}
    </>
  )
}
