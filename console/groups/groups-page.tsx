import { useState } from 'preact/hooks'
import type { Answer } from '../../sdk/admin.ts'
import { ReviewChange } from '../configs/review-change.tsx'
import { Loading } from '../parts/loading.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { call } from '../state/api.ts'
import { useLoad } from '../state/load.ts'
import { mayDo } from '../state/session.ts'
import { words } from '../words.ts'
import { GroupCard } from './group-card.tsx'
import { GroupDialog } from './group-dialog.tsx'
import { type Group, readGroups } from './groups-document.ts'

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
  const done = () => {
    setDraft(undefined)
    setEdited(undefined)
    loaded.reload()
  }
  const isEditable = loaded.value?.text !== undefined && mayDo('admin.configs.write')
  const edit = (group: Group, isNew: boolean) =>
    setEdited({ group, isNew, isRemoval: false, text: loaded.value?.text ?? '', etag: loaded.value?.etag })
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
        {({ inForce: { groups, defaultGroups }, text = '' }) => {
          const written = readGroups(text)
          return (
            <div class="cards">
              {listNamesOf(groups, written).map((name) => (
                <GroupCard
                  key={name}
                  written={written.find((one) => one.name === name)}
                  inForce={groups.find((one) => one.name === name)}
                  isDefault={defaultGroups.includes(name)}
                  edit={isEditable ? (group) => edit(group, false) : undefined}
                />
              ))}
            </div>
          )
        }}
      </Loading>
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
      {draft !== undefined && <ReviewChange file={file} {...draft} back={() => setDraft(undefined)} done={done} />}
    </>
  )
}
