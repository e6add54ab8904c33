import { listNames } from '../../parts/list-names.ts'
import { columnsMax, listColumns } from '../scene/columns.ts'
import { type Draft, type DraftFaults, removeColumns } from '../scene/draft.ts'
import { words } from '../words.ts'

const namesMax = 5

type Props = { readonly faults: DraftFaults; readonly change: (act: (draft: Draft) => Draft) => void }

/** Shows faults before the server refuses the zone. */
export const DraftFaultList = ({ faults, change }: Props) => {
  const { overlaps, ungenerated, isTooLarge, isInsideOut } = faults
  const names = overlaps.slice(0, namesMax).map(({ name }) => name)
  return (
    <div role="status">
      {overlaps.length > 0 && (
        <p class="box box-bad">
          <bdi>{words.map.draft.overlaps(listNames(overlaps.length > namesMax ? [...names, '…'] : names))}</bdi>
        </p>
      )}
      {ungenerated.size > 0 && (
        <div class="box box-warn">
          <p>{words.map.draft.ungenerated(ungenerated.size)}</p>
          <button type="button" onClick={() => change((draft) => removeColumns(draft, listColumns(ungenerated)))}>
            {words.map.draft.dropUngenerated}
          </button>
        </div>
      )}
      {isTooLarge && <p class="box box-bad">{words.map.draft.tooMany(columnsMax)}</p>}
      {isInsideOut && <p class="box box-bad">{words.map.draft.insideOut}</p>}
    </div>
  )
}
