import { computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import type { BlockPos } from '../../../../sdk/world.ts'
import { session } from '../../../state/session.ts'
import type { Camera, Screen } from '../scene/camera.ts'
import { type ClipPlanes, cutSpan, spanOf } from '../scene/clip-planes.ts'
import type { EditedZone, FeedTrouble, Inside } from '../scene/follow-zone.ts'

/** The tool of a click. */
export type Tool = 'look' | 'place' | 'break' | 'pick'

/** The block under the pointer, and the free block before it. The floor has no block. */
export type Target = { readonly block?: BlockPos; readonly before: BlockPos }

type Pages = EditedZone['shortcutBarPages']

type Layout = Pick<EditedZone, 'clipPlanes' | 'shortcutBarPages'>

/** The state of the zone editor. */
export type EditorModel = {
  readonly zone: Signal<EditedZone>
  readonly camera: Signal<Camera>
  readonly size: Signal<Screen>
  readonly tool: Signal<Tool>
  /** The cursor for the keyboard. */
  readonly cursor: Signal<BlockPos>
  readonly pointed: Signal<Target | undefined>
  /** The marked corner of a box. */
  readonly mark: Signal<BlockPos | undefined>
  readonly planes: Signal<ClipPlanes>
  readonly pages: Signal<Pages>
  readonly page: Signal<number>
  readonly slot: Signal<number>
  readonly inside: Signal<readonly Inside[]>
  readonly trouble: Signal<FeedTrouble | undefined>
  readonly fault: Signal<unknown>
  /** Loaded and needed columns, and the number of blocks in them. */
  readonly loaded: Signal<{ readonly columns: number; readonly wanted: number; readonly blocks: number }>
  readonly steps: Signal<{ readonly canUndo: boolean; readonly canRedo: boolean }>
  readonly isBusy: Signal<boolean>
  readonly span: ReadonlySignal<ReturnType<typeof spanOf>>
  readonly shown: ReadonlySignal<ReturnType<typeof spanOf>>
  /** The saved layout on which the changes here are based. */
  readonly base: Signal<Layout>
  readonly isLayoutChanged: ReadonlySignal<boolean>
  /** Whether another admin has saved a different layout since. */
  readonly isLayoutOld: ReadonlySignal<boolean>
}

export const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

const middle = (from: number, to: number): number => Math.floor((from + to) / 2)

const createEditorModel = (first: EditedZone): EditorModel => {
  const zone = signal(first)
  const planes = signal(first.clipPlanes)
  const pages = signal(first.shortcutBarPages)
  const base = signal<Layout>(first)
  const differs = ({ clipPlanes, shortcutBarPages }: Layout): boolean =>
    !isSame(planes.value, clipPlanes) || !isSame(pages.value, shortcutBarPages)
  const span = computed(() => spanOf(zone.value))
  const { minX, maxX, minZ, maxZ, minY, maxY } = span.peek()
  const cursor = { x: middle(minX, maxX), y: middle(minY, maxY), z: middle(minZ, maxZ) }
  const distance = Math.min(160, Math.max(24, Math.hypot(maxX - minX, maxZ - minZ)))
  return {
    zone,
    camera: signal({ target: cursor, yaw: 45, pitch: -35, distance }),
    size: signal({ width: 1, height: 1 }),
    tool: signal('look'),
    cursor: signal(cursor),
    pointed: signal(undefined),
    mark: signal(undefined),
    planes,
    pages,
    page: signal(0),
    slot: signal(0),
    inside: signal([]),
    trouble: signal({ kind: 'opening' }),
    fault: signal(undefined),
    loaded: signal({ columns: 0, wanted: 0, blocks: 0 }),
    steps: signal({ canUndo: false, canRedo: false }),
    isBusy: signal(false),
    span,
    shown: computed(() => cutSpan(span.value, planes.value)),
    base,
    isLayoutChanged: computed(() => differs(zone.value)),
    isLayoutOld: computed(
      () =>
        differs(zone.value) &&
        !isSame([base.value.clipPlanes, base.value.shortcutBarPages], [zone.value.clipPlanes, zone.value.shortcutBarPages]),
    ),
  }
}

const models = new Map<string, EditorModel>()
// The next account in this tab must not inherit the layout.
effect(() => {
  if (session.value.kind === 'out') models.clear()
})

/** The model of a zone survives visits to other pages. */
export const modelOf = (zone: EditedZone): EditorModel => {
  const model = models.get(zone.id) ?? createEditorModel(zone)
  models.set(zone.id, model)
  return model
}

/** Applies the stored zone. An unchanged layout follows the stored one. */
export const takeZone = ({ zone, planes, pages, base }: EditorModel, now: EditedZone): void => {
  const was = zone.peek()
  const [arePlanesSame, arePagesSame] = [isSame(planes.peek(), was.clipPlanes), isSame(pages.peek(), was.shortcutBarPages)]
  if (arePlanesSame) planes.value = now.clipPlanes
  if (arePagesSame) pages.value = now.shortcutBarPages
  base.value = {
    clipPlanes: arePlanesSame ? now.clipPlanes : base.peek().clipPlanes,
    shortcutBarPages: arePagesSame ? now.shortcutBarPages : base.peek().shortcutBarPages,
  }
  zone.value = now
}

/** Continues from the stored layout, with or without the changes made here (`mine`). */
export const takeLayout = ({ zone, planes, pages, page, base }: EditorModel, isMineKept: boolean): void => {
  base.value = zone.peek()
  if (isMineKept) return
  planes.value = zone.peek().clipPlanes
  pages.value = zone.peek().shortcutBarPages
  page.value = 0
}

/** Forgets the zone's blocks, players and edit history. */
export const beginAnew = (model: EditorModel): void => {
  model.trouble.value = { kind: 'opening' }
  model.fault.value = undefined
  model.inside.value = []
  model.pointed.value = undefined
  model.loaded.value = { columns: 0, wanted: 0, blocks: 0 }
  model.steps.value = { canUndo: false, canRedo: false }
  model.isBusy.value = false
}

const slotsMax = 10

/** The shown page, at most the last one: another admin may have saved fewer. */
export const pageOf = ({ pages, page }: Pick<EditorModel, 'pages' | 'page'>): number =>
  Math.min(page.value, Math.max(1, pages.value.length) - 1)

/** The slots of a page. A zone without pages shows the first kinds. */
export const slotsOf = (
  model: Pick<EditorModel, 'pages' | 'page'>,
  kinds: readonly { readonly id: string }[],
): readonly (string | null)[] => {
  const { pages } = model
  const own = pages.value.length === 0 ? kinds.slice(0, slotsMax).map(({ id }) => id) : (pages.value[pageOf(model)] ?? [])
  return Array.from({ length: slotsMax }, (_, at) => own[at] ?? null)
}

/** Puts a kind into the selected slot. */
export const fillSlot = (model: EditorModel, kinds: readonly { readonly id: string }[], id: string | null): void => {
  const slots = slotsOf(model, kinds).map((was, at) => (at === model.slot.peek() ? id : was))
  const pages = model.pages.peek()
  const at = pageOf(model)
  model.pages.value = pages.length === 0 ? [slots] : pages.map((page, which) => (which === at ? slots : page))
}
