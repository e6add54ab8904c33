import { computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import type { BlockPos } from '../../../../sdk/world.ts'
import { session } from '../../../state/session.ts'
import type { Camera, Screen } from '../scene/camera.ts'
import { type ClipPlanes, cutSpan, spanOf } from '../scene/clip-planes.ts'
import type { EditedZone, FeedTrouble, Inside } from '../scene/follow-zone.ts'

/** What a click does. */
export type Tool = 'look' | 'place' | 'break' | 'pick'

/** A block that is pointed at, and the free one in front of it. Without a block where the floor is pointed at. */
export type Target = { readonly block?: BlockPos; readonly before: BlockPos }

type Pages = EditedZone['shortcutBarPages']

type Layout = Pick<EditedZone, 'clipPlanes' | 'shortcutBarPages'>

/** What is shown of a zone, and what is done with it. */
export type EditorModel = {
  readonly zone: Signal<EditedZone>
  readonly camera: Signal<Camera>
  readonly size: Signal<Screen>
  readonly tool: Signal<Tool>
  /** Where keys build. */
  readonly cursor: Signal<BlockPos>
  readonly pointed: Signal<Target | undefined>
  /** The other corner of a box that is to be filled. */
  readonly mark: Signal<BlockPos | undefined>
  readonly planes: Signal<ClipPlanes>
  readonly pages: Signal<Pages>
  readonly page: Signal<number>
  readonly slot: Signal<number>
  readonly inside: Signal<readonly Inside[]>
  readonly trouble: Signal<FeedTrouble | undefined>
  readonly fault: Signal<unknown>
  /** Columns that are here, that are wanted, and how many blocks those have. */
  readonly loaded: Signal<{ readonly columns: number; readonly wanted: number; readonly blocks: number }>
  readonly steps: Signal<{ readonly canUndo: boolean; readonly canRedo: boolean }>
  readonly isBusy: Signal<boolean>
  readonly span: ReadonlySignal<ReturnType<typeof spanOf>>
  readonly shown: ReadonlySignal<ReturnType<typeof spanOf>>
  /** What the zone kept when it was changed here. */
  readonly base: Signal<Layout>
  readonly isLayoutChanged: ReadonlySignal<boolean>
  /** Whether somebody else saved another meanwhile. */
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
// What was set up is nobody else's.
effect(() => {
  if (session.value.kind === 'out') models.clear()
})

/** That of a zone outlives the page, as somebody may look elsewhere meanwhile. */
export const modelOf = (zone: EditedZone): EditorModel => {
  const model = models.get(zone.id) ?? createEditorModel(zone)
  models.set(zone.id, model)
  return model
}

/** Takes in the zone as it is stored: a layout that was not changed here follows what others save. */
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

/** Goes on from the layout that is stored: `mine` stays above it, or goes. */
export const takeLayout = ({ zone, planes, pages, page, base }: EditorModel, isMineKept: boolean): void => {
  base.value = zone.peek()
  if (isMineKept) return
  planes.value = zone.peek().clipPlanes
  pages.value = zone.peek().shortcutBarPages
  page.value = 0
}

/** Nothing is known of the zone's blocks, of who is inside and of what was done. */
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

/** The page that is shown: others may have saved fewer. */
export const pageOf = ({ pages, page }: Pick<EditorModel, 'pages' | 'page'>): number =>
  Math.min(page.value, Math.max(1, pages.value.length) - 1)

/** The slots of a page, as many as one may have; a zone without a page shows the first kinds. */
export const slotsOf = (
  model: Pick<EditorModel, 'pages' | 'page'>,
  kinds: readonly { readonly id: string }[],
): readonly (string | null)[] => {
  const { pages } = model
  const own = pages.value.length === 0 ? kinds.slice(0, slotsMax).map(({ id }) => id) : (pages.value[pageOf(model)] ?? [])
  return Array.from({ length: slotsMax }, (_, at) => own[at] ?? null)
}

/** Puts a kind into the slot that is chosen. */
export const fillSlot = (model: EditorModel, kinds: readonly { readonly id: string }[], id: string | null): void => {
  const slots = slotsOf(model, kinds).map((was, at) => (at === model.slot.peek() ? id : was))
  const pages = model.pages.peek()
  const at = pageOf(model)
  model.pages.value = pages.length === 0 ? [slots] : pages.map((page, which) => (which === at ? slots : page))
}
