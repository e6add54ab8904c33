import { useState } from 'preact/hooks'
import type { Answer } from '../../sdk/admin.ts'
import { Copyable } from '../parts/copyable.tsx'
import { FormDialog } from '../parts/dialog.tsx'
import { Field } from '../parts/field.tsx'
import { Loading } from '../parts/loading.tsx'
import { Menu, MenuItem } from '../parts/menu.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { ProblemBox } from '../parts/problem-box.tsx'
import { saveFile } from '../parts/save-file.ts'
import { formatSize } from '../parts/size.ts'
import { Time } from '../parts/time.tsx'
import { tell } from '../parts/toasts.tsx'
import { call, readExport } from '../state/api.ts'
import { useEvery, useLoad } from '../state/load.ts'
import { linkTo } from '../state/route.ts'
import { mayDo } from '../state/session.ts'
import { words } from '../words.ts'
import { ImportWorld } from './import-dialog.tsx'
import { DeleteWorld, RenameWorld } from './move-dialogs.tsx'
import { PregenDialog } from './pregen-dialog.tsx'
import { WorldPicture } from './world-picture.tsx'

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

type Doing = 'pregen' | 'rename' | 'delete'
/** The open dialog and its world. */
type Open = { readonly doing: Doing; readonly world: string }

type CardProps = {
  readonly world: World
  readonly nodes: readonly Node[]
  readonly open: (open: Open) => void
  readonly isExporting: boolean
  readonly exportFile: () => void
}

const State = ({ nodes }: { readonly nodes: readonly Node[] }) => {
  if (nodes.length === 0) return <span class="badge">{words.worlds.stopped}</span>
  return (
    <>
      <span class="badge good" title={words.worlds.runningOn(nodes.map(({ url }) => url))}>
        {words.worlds.running}
      </span>
      <span class="badge">{words.worlds.players(nodes.reduce((sum, { sessions }) => sum + sessions, 0))}</span>
    </>
  )
}

const WorldCard = ({ world, nodes, open, isExporting, exportFile }: CardProps) => {
  const { name, active, warning, chunkCount, sizeBytes, seed, generator, createdAt } = world
  const mayWrite = mayDo('admin.worlds.write')
  const start = (doing: Doing) => () => open({ doing, world: name })
  return (
    <li class="card world-card">
      <a class="world-map" href={linkTo(['map'], { world: name })} aria-label={`${words.worlds.openMap}: ${name}`}>
        <WorldPicture world={name} chunkCount={chunkCount} />
      </a>
      <div class="world-text">
        <header class="card-head">
          <h2>
            <bdi>{name}</bdi>
          </h2>
          <Menu label={words.worlds.actionsOf(name)}>
            {mayWrite && (
              <MenuItem icon="map" act={start('pregen')}>
                {words.pregen.open}
              </MenuItem>
            )}
            <MenuItem icon="download" act={exportFile}>
              {words.worlds.exportAct}
            </MenuItem>
            {mayWrite && <MenuItem act={start('rename')}>{words.worlds.renameOpen}</MenuItem>}
            {mayWrite && (
              <MenuItem isBad act={start('delete')}>
                {words.worlds.deleteOpen}
              </MenuItem>
            )}
          </Menu>
        </header>
        <p role="status">
          <State nodes={nodes} />
          {active && <span class="badge">{words.worlds.active}</span>}
          {isExporting && <span class="badge warn">{words.worlds.exporting}</span>}
        </p>
        {warning !== undefined && <p class="box box-warn">{warning}</p>}
        <dl class="facts">
          <dt>{words.worlds.size}</dt>
          <dd>{formatSize(sizeBytes)}</dd>
          <dt>{words.worlds.columns}</dt>
          <dd>{count.format(chunkCount)}</dd>
          <dt>{words.worlds.seed}</dt>
          <dd>
            <code>{seed}</code>
          </dd>
          <dt>{words.worlds.generator}</dt>
          <dd>{generator}</dd>
          <dt>{words.worlds.created}</dt>
          <dd>
            <Time at={createdAt} />
          </dd>
        </dl>
        {nodes.length === 0 && (
          <>
            <p class="quiet">{words.worlds.toStart}</p>
            <Copyable text={`GAME_WORLD_NAME=${name} npm start`} label={words.worlds.runCommand} />
          </>
        )}
        <div class="actions">
          <a class="button" href={linkTo(['map'], { world: name })}>
            {words.worlds.openMap}
          </a>
        </div>
      </div>
    </li>
  )
}

/** Why a world cannot be renamed or deleted at the moment. */
const findObstacle = (isRunning: boolean, isActive: boolean): string | undefined => {
  if (isRunning) return words.worlds.held
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
  return <DeleteWorld world={world} obstacle={obstacle} close={close} done={done} />
}

const refreshMs = 10_000

/** All worlds as cards, and the nodes that run them. */
export const WorldsPage = () => {
  const [isAdding, setAdding] = useState(false)
  const [isImporting, setImporting] = useState(false)
  const [opened, setOpened] = useState<Open>()
  const [error, setError] = useState<unknown>()
  const [exporting, setExporting] = useState<readonly string[]>([])
  const exportFile = async (world: string): Promise<void> => {
    setExporting((last) => [...last, world])
    setError(undefined)
    await readExport(world).then((file) => saveFile(file, `${world}.world`), setError)
    setExporting((last) => last.filter((one) => one !== world))
  }
  const worlds = useLoad(async (signal) => {
    const [all, running] = await Promise.all([
      call('GET /api/admin/worlds', { signal }),
      call('GET /api/realtime/nodes', { signal }),
    ])
    return { worlds: all.body, nodes: running.body.items }
  }, [])
  useEvery(refreshMs, worlds.refresh)
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
          <>
            <button type="button" onClick={() => setImporting(true)}>
              {words.worlds.importOpen}
            </button>
            <button type="button" class="main" onClick={() => setAdding(true)}>
              {words.worlds.add}
            </button>
          </>
        )}
      </PageHead>
      <ProblemBox error={error} />
      <Loading of={worlds}>
        {({ worlds: all, nodes }) => (
          <>
            {all.length === 0 && <p class="empty">{words.worlds.none}</p>}
            <ul class="plain-list world-cards">
              {all.map((world) => (
                <WorldCard
                  key={world.name}
                  world={world}
                  nodes={nodes.filter((node) => node.world === world.name)}
                  open={setOpened}
                  isExporting={exporting.includes(world.name)}
                  exportFile={() => void exportFile(world.name)}
                />
              ))}
            </ul>
            {opened !== undefined && <WorldDialog opened={opened} worlds={all} nodes={nodes} close={closeDialog} done={moved} />}
          </>
        )}
      </Loading>
      {isAdding && <CreateWorld close={close} />}
      {isImporting && <ImportWorld close={() => setImporting(false)} done={worlds.reload} />}
    </>
  )
}
