import { FormDialog } from '../parts/dialog.tsx'
import { Loading } from '../parts/loading.tsx'
import { describeProblem } from '../parts/problem-box.tsx'
import { tellDone } from '../parts/toasts.tsx'
import { call, refreshPermissions } from '../state/api.ts'
import { useLoad } from '../state/load.ts'
import { mayDo } from '../state/session.ts'
import { ChangeTable } from './change-table.tsx'
import { readValues } from './config-document.ts'
import type { DryRun } from './dry-run.ts'
import type { Schema } from './schema.ts'
import { words } from './words.ts'

type GroupsImpact = NonNullable<DryRun['impact']['groups']>
type Touched = { readonly gains: readonly string[]; readonly loses: readonly string[] }

const Row = ({ of: { gains, loses }, name }: { readonly of: Touched; readonly name: string }) => (
  <li>
    <strong>
      <bdi>{name}</bdi>
    </strong>{' '}
    {gains.length > 0 && (
      <>
        <span class="good-text">{words.groups.gains}</span> <code>{gains.join(' ')}</code>{' '}
      </>
    )}
    {loses.length > 0 && (
      <>
        <span class="bad-text">{words.groups.loses}</span> <code>{loses.join(' ')}</code>
      </>
    )}
  </li>
)

const isTouched = ({ gains, loses }: Touched): boolean => gains.length + loses.length > 0

const Impact = ({ of: { groups, newAccounts, accounts, unknownGroups } }: { readonly of: GroupsImpact }) => (
  <>
    {groups.length === 0 && !isTouched(newAccounts) && (accounts?.count ?? 0) === 0 && <p>{words.groups.nothing}</p>}
    <ul>
      {groups.map((group) => (
        <Row key={group.group} of={group} name={group.group} />
      ))}
      {isTouched(newAccounts) && <Row of={newAccounts} name={words.groups.newAccounts} />}
    </ul>
    {accounts !== null && accounts.count > 0 && (
      <>
        <p>{words.groups.accounts(accounts.count, accounts.connected)}</p>
        <ul>
          {accounts.listed.map((account) => (
            <Row key={account.email} of={account} name={account.email} />
          ))}
        </ul>
      </>
    )}
    {unknownGroups.map(({ group, accounts: count }) => (
      <p key={group} class="box box-warn">
        {words.groups.unknown(group, count)}
      </p>
    ))}
  </>
)

type Props = {
  readonly file: string
  readonly text: string
  /** The schema and the stored text, which describe the changes of files other than groups.yaml. */
  readonly schema?: Schema
  readonly before?: string
  readonly etag: string | undefined
  readonly back: () => void
  /** Loads the saved text. The dialog waits for it, so that the next change is based on this version. */
  readonly reloaded: () => Promise<void>
  readonly done: () => void
}

/** Reloads the configs after `file` was saved. Returns the outcome as a text, and never rejects. */
const takeIntoForce = async (file: string): Promise<string> => {
  try {
    const { failed, restartNeeded } = (await call('POST /api/admin/reload')).body
    await refreshPermissions()
    if (failed.length > 0) return words.groups.othersFailed(failed.map(({ name }) => name))
    return restartNeeded.includes(file) ? words.configs.restartNeeded([file]) : words.groups.saved
  } catch (error) {
    return words.groups.notInForce(describeProblem(error))
  }
}

/** Shows the effects of a draft, then saves it over the version that was read and reloads the configs. */
export const ReviewChange = ({ file, text, schema = {}, before = '', etag, back, reloaded, done }: Props) => {
  const params = { name: file }
  const ifMatch = etag === undefined ? {} : { ifMatch: etag }
  const dry = useLoad(
    async (signal) =>
      (await call('PUT /api/admin/configs/{name}', { params, query: { dryRun: true }, body: text, ...ifMatch, signal })).body,
    [text],
  )
  const submit = async (): Promise<void> => {
    const saved = await call('PUT /api/admin/configs/{name}', { params, query: {}, body: text, ...ifMatch })
    // The file is saved, even if the reload fails.
    tellDone(mayDo('admin.server.reload') ? await takeIntoForce(file) : words.groups.savedOnly, saved)
    await reloaded()
  }
  return (
    <FormDialog
      title={words.groups.reviewTitle}
      action={words.save}
      isReady={dry.value !== undefined && dry.error === undefined}
      close={back}
      done={done}
      submit={submit}
      wide
    >
      <Loading of={dry}>
        {(answer) =>
          'impact' in answer && (
            <>
              {answer.impact.warnings.map((warning) => (
                <p key={warning} class="box box-warn">
                  {warning}
                </p>
              ))}
              {answer.impact.groups === undefined ? (
                <ChangeTable of={answer} schema={schema} before={readValues(before)?.values} after={readValues(text)?.values} />
              ) : (
                <Impact of={answer.impact.groups} />
              )}
            </>
          )
        }
      </Loading>
    </FormDialog>
  )
}
