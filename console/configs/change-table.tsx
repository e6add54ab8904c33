import { DataTable } from '../parts/data-table.tsx'
import { words } from '../words.ts'
import type { DryRun } from './dry-run.ts'

type Change = DryRun['changes'][number]

const Value = ({ of }: { readonly of: unknown }) =>
  of === null ? <span class="quiet">{words.audit.absent}</span> : <code>{typeof of === 'string' ? of : JSON.stringify(of)}</code>

const badges = { now: 'badge', reload: 'badge good', restart: 'badge warn' } as const

const columns = [
  { head: words.configs.key, cell: ({ pointer }: Change) => <code>{pointer === '' ? '/' : pointer}</code> },
  { head: words.audit.before, cell: ({ from }: Change) => <Value of={from} /> },
  { head: words.audit.after, cell: ({ to }: Change) => <Value of={to} /> },
  {
    head: words.configs.effect,
    cell: ({ effect }: Change) => <span class={badges[effect]}>{words.configs.effects[effect]}</span>,
  },
]

/** The changed keys of a draft, and when each change applies. */
export const ChangeTable = ({ of: { changes, impact } }: { readonly of: DryRun }) => (
  <>
    <DataTable columns={columns} rows={changes} keyOf={({ pointer }) => pointer} empty={words.configs.noChanges} />
    {(impact.changesOmitted ?? 0) > 0 && <p class="quiet">{words.configs.moreChanges(impact.changesOmitted ?? 0)}</p>}
  </>
)
