import { isDeepStrictEqual } from 'node:util'
import type { Clock } from '../../kernel/clock.ts'
import { createParser } from '../../kernel/schema.ts'
import type { Account } from '../accounts/account.ts'
import { AccountView, accountEtag, viewAccount } from '../accounts/account-view.ts'
import type { DeletedAccounts } from '../accounts/deleted-accounts.ts'
import type { AccountService } from '../accounts/service/account-service.ts'
import type { AccountStore } from '../accounts/store/account-store.ts'
import type { AuditEntry } from '../audit/audit-log.ts'
import { isRecord, notUndoable, refuseChanged, refuseChangedFields, type Undoer, type UndoPlan, withFieldsOf } from './undoer.ts'

type Deps = {
  readonly accounts: Pick<AccountService, 'putBack' | 'removeAccount' | 'restoreAccount'>
  readonly accountStore: Pick<AccountStore, 'findByEmail' | 'findByPlayerId'>
  readonly clock: Pick<Clock, 'now'>
  readonly deletedAccounts: Pick<DeletedAccounts, 'find'>
}

const parseView = createParser(AccountView)

/** Parses one side of an entry as an account. Drops changes of password and identity, which undo does not cover. */
const readSide = (side: unknown): AccountView | undefined => {
  if (!isRecord(side)) return undefined
  const { passwordChanged: _, subject: __, ...rest } = side
  const parsed = parseView(rest)
  return parsed.ok ? parsed.value : undefined
}

const withoutGrants = ({ grants: _, ...view }: AccountView) => view

type Grants = AccountView['grants']

/** Undoes each grant on its own: removes added grants, restores removed ones, and keeps the others. */
const undoGrants = (
  { before = [], after = [], current = [] }: { readonly before: Grants; readonly after: Grants; readonly current: Grants },
  entry: AuditEntry,
): NonNullable<Grants> => {
  const isIn = (grants: NonNullable<Grants>, { id }: { readonly id: string }): boolean => grants.some((grant) => grant.id === id)
  const added = after.filter((grant) => !isIn(before, grant))
  const removed = before.filter((grant) => !isIn(after, grant))
  // A grant that was added or removed by a later change counts as changed.
  if (!added.every((grant) => isIn(current, grant)) || removed.some((grant) => isIn(current, grant)))
    refuseChanged({ before: entry.before, after: { grants: after } }, { grants: current })
  return [...current.filter((grant) => !isIn(added, grant)), ...removed]
}

const passwords = 'Undo does not restore passwords. Set a new one.'

export const createUndoAccounts = ({ accounts, accountStore, deletedAccounts, clock }: Deps): Undoer => {
  const read = (account: Account | undefined) =>
    account === undefined ? undefined : { view: viewAccount(account), etag: accountEtag(account, clock.now()) }
  const find = async (email: string) => read(await accountStore.findByEmail(email))

  const planCreation = async (entry: AuditEntry, after: AccountView): Promise<UndoPlan> => {
    const current = await find(after.email)
    refuseChanged({ ...entry, after }, current?.view)
    return {
      would: null,
      apply: async (actor) => {
        await accounts.removeAccount(actor, after.email, current?.etag)
        return null
      },
    }
  }

  const planChange = async (entry: AuditEntry, before: AccountView, after: AccountView): Promise<UndoPlan> => {
    if (isDeepStrictEqual(before, after)) throw notUndoable(passwords)
    // By its id, because it may have another email now.
    const current = read(await accountStore.findByPlayerId(after.playerId))
    const sides = { before: withoutGrants(before), after: withoutGrants(after) }
    const keys = refuseChangedFields(sides, current && withoutGrants(current.view))
    if (current === undefined) throw notUndoable('The account no longer exists.')
    const grants = undoGrants({ before: before.grants, after: after.grants, current: current.view.grants }, entry)
    const { email, displayName, groups } = withFieldsOf(current.view, before, keys)
    return {
      would: { ...withoutGrants(current.view), email, displayName, groups, ...(grants.length > 0 && { grants }) },
      apply: async (actor, { force }) => {
        const was = { email, displayName, groups, grants }
        return viewAccount(await accounts.putBack(actor, current.view.email, was, { ifMatch: current.etag, force }))
      },
    }
  }

  const planDeletion = async (entry: AuditEntry, before: AccountView): Promise<UndoPlan> => {
    refuseChanged({ ...entry, before, after: null }, (await find(before.email))?.view)
    const deleted = await deletedAccounts.find(before.playerId)
    if (deleted === undefined) throw notUndoable('Deleted accounts are kept for 30 days. This one is no longer available.')
    if (!isDeepStrictEqual(viewAccount(deleted), before))
      throw notUndoable('The account was restored and deleted again. Undo that deletion instead.')
    return {
      would: before,
      apply: async (actor, choice) => viewAccount(await accounts.restoreAccount(actor, before.playerId, choice)),
    }
  }

  return {
    actions: ['account.create', 'account.update', 'account.delete'],
    permission: 'admin.users.write',
    plan: async (entry) => {
      const [before, after] = [readSide(entry.before), readSide(entry.after)]
      if (before !== undefined && after !== undefined) return planChange(entry, before, after)
      if (after !== undefined) return planCreation(entry, after)
      if (before !== undefined) return planDeletion(entry, before)
      throw notUndoable('This entry does not have the previous account.')
    },
  }
}
