import { useMemo, useState } from 'preact/hooks'
import type { Answer } from '../../sdk/admin.ts'
import { ReviewChange } from '../configs/review-change.tsx'
import { words } from '../configs/words.ts'
import { Loading } from '../parts/loading.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { call } from '../state/api.ts'
import { useLoad } from '../state/load.ts'
import { mayDo } from '../state/session.ts'
import { countMembers } from './count-members.ts'
import { GroupDialog } from './group-dialog.tsx'
import { GroupMatrix } from './group-matrix.tsx'
import { type Group, readGroups, writeGroup } from './groups-document.ts'

type InForce = Answer<'GET /api/admin/groups'>['body']
type Loaded = { readonly inForce: InForce; readonly text?: string; readonly etag?: string }

const file = 'groups.yaml'

const ask = async (signal: AbortSignal): Promise<Loaded> => {
  const inForce = (await call('GET /api/admin/groups', { signal })).body
  if (!mayDo('admin.configs.read')) return { inForce }
  const { body, etag } = await call('GET /api/admin/configs/{name}', { params: { name: file }, signal })
  return { inForce, text: body, ...(etag !== undefined && { etag }) }
}

/** A group and the version of the file it was read from. Saving over a newer version fails. */
type Edited = {
  readonly group: Group
  readonly isNew: boolean
  readonly isRemoval: boolean
  readonly text: string
  readonly etag: string | undefined
}

/** A text to review before saving. */
type Draft = { readonly text: string; readonly etag: string | undefined }

/** Changed rules by group, and the version of the file that they change. */
type Changes = {
  readonly rules: ReadonlyMap<string, readonly string[]>
  readonly text: string
  readonly etag: string | undefined
}

type Named = { readonly name: string }

/** Names of active groups, and of saved groups that wait for a reload. */
const listNamesOf = (inForce: readonly Named[], written: readonly Named[]): readonly string[] => [
  ...new Set([...inForce, ...written].map(({ name }) => name)),
]

const emptyGroup: Group = { name: '', description: '', inherits: [], permissions: [] }

/** The groups and their permissions, active or waiting for a reload, edited in `groups.yaml`. */
export const GroupsPage = () => {
  const loaded = useLoad(ask, [])
  const [edited, setEdited] = useState<Edited>()
  const [draft, setDraft] = useState<Draft>()
  /** Rules that were changed in the matrix, by group. */
  const [changes, setChanges] = useState<Changes>()
  const members = useLoad(countMembers, [])
  const fileText = loaded.value?.text ?? ''
  const written = useMemo(() => readGroups(fileText), [fileText])
  const done = () => {
    setDraft(undefined)
    setEdited(undefined)
    setChanges(undefined)
  }
  const isEditable = loaded.value?.text !== undefined && mayDo('admin.configs.write')
  const edit = (group: Group, isNew: boolean) =>
    setEdited({ group, isNew, isRemoval: false, text: loaded.value?.text ?? '', etag: loaded.value?.etag })
  const change = (name: string, permissions: readonly string[]) => {
    const { text = '', etag } = loaded.value ?? {}
    const from = changes ?? { rules: new Map<string, readonly string[]>(), text, etag }
    const inFile = from.text === fileText ? written : readGroups(from.text)
    const before = inFile.find((one) => one.name === name)?.permissions ?? []
    const rules = new Map(from.rules)
    if (before.length === permissions.length && before.every((rule) => permissions.includes(rule))) rules.delete(name)
    else rules.set(name, permissions)
    setChanges(rules.size === 0 ? undefined : { ...from, rules })
  }
  const review = ({ rules, text, etag }: Changes) => {
    const changed = readGroups(text).filter(({ name }) => rules.has(name))
    const next = changed.reduce(
      (last, group) => writeGroup(last, group.name, { ...group, permissions: rules.get(group.name) ?? group.permissions }),
      text,
    )
    setDraft({ text: next, etag })
  }
  return (
    <>
      <PageHead title={words.pages.groups}>
        {isEditable && (
          <button type="button" class="main" onClick={() => edit(emptyGroup, true)}>
            {words.groups.add}
          </button>
        )}
      </PageHead>
      <p class="quiet">{words.groups.lead}</p>
      <Loading of={loaded}>
        {({ inForce: { groups, defaultGroups } }) => (
          <GroupMatrix
            columns={listNamesOf(groups, written).map((name) => ({
              name,
              written: written.find((one) => one.name === name),
              inForce: groups.find((one) => one.name === name),
              isDefault: defaultGroups.includes(name),
              members: members.value === undefined ? undefined : (members.value.counts.get(name) ?? 0),
              membersAreCut: members.value?.isCut ?? false,
            }))}
            changes={changes?.rules ?? new Map()}
            change={isEditable ? change : undefined}
            edit={isEditable ? (group) => edit(group, false) : undefined}
          />
        )}
      </Loading>
      {changes !== undefined && (
        // biome-ignore lint/a11y/useSemanticElements: the buttons are not a part of a form.
        <div class="bulk" role="group" aria-label={words.table.actions}>
          <span role="status">{words.groups.changed(words.listNames([...changes.rules.keys()]))}</span>
          <button type="button" class="main" onClick={() => review(changes)}>
            {words.groups.review}
          </button>
          <button type="button" onClick={() => setChanges(undefined)}>
            {words.groups.discard}
          </button>
        </div>
      )}
      {edited !== undefined && draft === undefined && loaded.value !== undefined && (
        <GroupDialog
          {...edited}
          names={listNamesOf(loaded.value.inForce.groups, readGroups(edited.text))}
          review={(group, isRemoval, text) => {
            setEdited({ ...edited, group, isRemoval })
            setDraft({ text, etag: edited.etag })
          }}
          close={() => setEdited(undefined)}
        />
      )}
      {draft !== undefined && (
        <ReviewChange file={file} {...draft} back={() => setDraft(undefined)} reloaded={loaded.reloaded} done={done} />
      )}
    </>
  )
}
