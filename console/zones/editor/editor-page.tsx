import { useMemo, useState } from 'preact/hooks'
import { NoWebglError } from '../../../play/render/stage.ts'
import { startWorker } from '../../../play/render/trusted-urls.ts'
import { Loading } from '../../parts/loading.tsx'
import { Named } from '../../parts/named.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { describeProblem, ProblemBox } from '../../parts/problem-box.tsx'
import { call, caller } from '../../state/api.ts'
import { useLoad } from '../../state/load.ts'
import { linkTo } from '../../state/route.ts'
import { mayDo } from '../../state/session.ts'
import { readZone, type Zone } from '../zone.ts'
import { BlockPicker } from './block-picker.tsx'
import { type EditorModel, modelOf } from './building/editor-model.ts'
import { createHands } from './building/hands.ts'
import { type Editor, openEditor } from './building/open-editor.ts'
import { ClipPanel } from './clip-panel.tsx'
import { CursorPanel } from './cursor-panel.tsx'
import { EditorCanvas } from './editor-canvas.tsx'
import { EditorTools } from './editor-tools.tsx'
import { SaveLayout } from './save-layout.tsx'
import type { ListedKind } from './scene/block-kinds.ts'
import { ShortcutBar } from './shortcut-bar.tsx'
import { words } from './words.ts'

const startWorkers = () => [startWorker('mesh-worker'), startWorker('mesh-worker')]

const Trouble = ({ model }: { readonly model: EditorModel }) => {
  const trouble = model.trouble.value
  return (
    <>
      <div role="status">
        {trouble !== undefined && (
          <p class={trouble.kind === 'opening' ? 'quiet' : 'box box-warn'}>
            {trouble.kind === 'refused' ? words.editor.trouble.refused(trouble.text) : words.editor.trouble[trouble.kind]}
          </p>
        )}
      </div>
      <ProblemBox error={model.fault.value} />
    </>
  )
}

/** The loaded part of the zone, and the players inside. */
const Facts = ({ model }: { readonly model: EditorModel }) => {
  const { columns, wanted, blocks } = model.loaded.value
  const all = model.zone.value.chunks.length
  const names = model.inside.value.map(({ displayName }) => displayName)
  return (
    <p class="quiet" role="status">
      {words.editor.loaded(columns, wanted, blocks)} {wanted < all && words.editor.around(all)}
      {names.length > 0 && <Named say={(...inside) => words.editor.inside(inside)} names={names} />}
    </p>
  )
}

const Desk = ({ zone, kinds }: { readonly zone: Zone; readonly kinds: readonly ListedKind[] }) => {
  const model = useMemo(() => modelOf(zone), [zone.id])
  const [editor, setEditor] = useState<Editor>()
  const [fault, setFault] = useState('')
  const open = (canvas: HTMLCanvasElement): Editor | undefined => {
    try {
      const opened = openEditor({ model, canvas, kinds, caller, startWorkers })
      setEditor(opened)
      return opened
    } catch (error) {
      setFault(error instanceof NoWebglError ? words.editor.noWebgl : describeProblem(error))
      return undefined
    }
  }
  if (fault !== '') return <p class="box box-bad">{fault}</p>
  return (
    <>
      <Trouble model={model} />
      <div class="map-desk">
        <div class="map-side">
          {editor !== undefined && <EditorTools model={model} editor={editor} />}
          <EditorCanvas model={model} open={open} hands={(opened) => createHands(model, opened)} />
          <ShortcutBar model={model} kinds={kinds} />
          <Facts model={model} />
        </div>
        <div class="card map-list editor-list">
          <SaveLayout model={model} />
          <BlockPicker model={model} kinds={kinds} />
          {editor !== undefined && <CursorPanel model={model} editor={editor} />}
          <ClipPanel model={model} />
        </div>
      </div>
    </>
  )
}

/** The live 3D editor of a zone. */
export const EditorPage = ({ id }: { readonly id: string }) => {
  // Reads the zone once; the feed sends its changes.
  const loaded = useLoad(
    async (signal) => {
      const [{ zone }, kinds] = await Promise.all([readZone(id, signal), call('GET /api/admin/blocks', { signal })])
      return { zone, kinds: kinds.body }
    },
    [id],
  )
  return (
    <>
      <p>
        <a href={linkTo(['map', id])}>
          ← <bdi>{loaded.value?.zone.name ?? words.zone.title}</bdi>
        </a>
      </p>
      <PageHead title={words.editor.title(loaded.value?.zone.name ?? '')} />
      {!mayDo('admin.instances.write') && <p class="quiet">{words.needsPermission('admin.instances.write')}</p>}
      <Loading of={loaded}>{({ zone, kinds }) => <Desk zone={zone} kinds={kinds} />}</Loading>
    </>
  )
}
