import { AppError } from '../../../../kernel/errors.ts'
import {
  type Precondition,
  putWrite,
  type Store,
  type StoredRecord,
  type Version,
  type Write,
} from '../../../../platform/storage/store.ts'
import type { AuditEntry } from '../../../audit/audit-log.ts'
import { auditWrites } from '../../../audit/store-audit-log.ts'
import type { Account } from '../../account.ts'
import { displayNameTaken } from '../../names/display-name-taken.ts'
import { nameKeyOf } from '../../names/name-skeleton.ts'
import {
  accountEndings,
  accountGroupSets,
  accountMembers,
  accountNameBearers,
  accountNames,
  accountSubjects,
  accountsByEmail,
  accountsByPlayerId,
  accountVersionId,
  accountVersions,
  administratorsVersionId,
  bearerId,
  endingId,
  findBearer,
  groupSetId,
  memberId,
  subjectId,
} from './record-accounts.ts'

/** A change of an account and the versions it was decided on. */
export type DecidedChange = {
  /** The email before the change. */
  readonly email: string
  readonly before: Account | undefined
  /** Version of the account; `null` if there is none. */
  readonly version: Version | null
  readonly after: Account | undefined
  readonly audit: AuditEntry | undefined
  /** Whether no other account may have its name. */
  readonly ownName: boolean
  /** Another account that must exist, as it was read. */
  readonly needed: StoredRecord<Account> | undefined
  /** Version of the administrators if the decision read them; `null` if there were none. */
  readonly administratorsVersion: Version | null | undefined
  /** Whether the account can administer before or after the change. */
  readonly isOfAdministrator: boolean
}

/** Checks that the needed account has not changed since it was read. */
const checkNeeded = ({ needed }: Pick<DecidedChange, 'needed'>): readonly Write[] =>
  needed === undefined ? [] : [{ kind: 'check', collection: accountsByEmail.name, id: needed.id, ifVersion: needed.version }]

/** The limit of the Store, and of some implementations of DynamoDB. */
const commitMax = 10

const deletion = (collection: { readonly name: string }, id: string): Write => ({
  kind: 'delete',
  collection: collection.name,
  id,
})

const taken = (what: 'playerId' | 'subject'): AppError =>
  new AppError('conflict', 'already-exists', `Another account has this ${what}.`)

const writePlayer = async (store: Store, { before, after }: DecidedChange): Promise<readonly Write[]> => {
  const isSame = before?.playerId === after?.playerId
  const old = before !== undefined && !isSame ? [deletion(accountsByPlayerId, before.playerId)] : []
  if (after === undefined) return old
  if (isSame) return [putWrite(accountsByPlayerId, after.playerId, after)]
  if ((await store.get(accountsByPlayerId, after.playerId)) !== undefined) throw taken('playerId')
  return [putWrite(accountsByPlayerId, after.playerId, after, { ifVersion: null }), ...old]
}

const writeSubject = async (store: Store, { email, before, after }: DecidedChange): Promise<readonly Write[]> => {
  const subject = after?.subject
  if (after === undefined || subject === undefined || (subject === before?.subject && after.email === email)) return []
  const pointer = await store.get(accountSubjects, subjectId(subject))
  if (pointer !== undefined && pointer.value.email !== email) {
    const owner = await store.get(accountsByEmail, pointer.value.email)
    if (owner?.value.subject === subject) throw taken('subject')
  }
  return [putWrite(accountSubjects, subjectId(subject), { email: after.email }, { ifVersion: pointer?.version ?? null })]
}

/** Whether another account has that name now. */
const isBorneByAnother = async (store: Store, displayName: string, email: string): Promise<boolean> => {
  const isAnother = (account: Account): boolean => account.email !== email
  return (await findBearer(store, displayName, isAnother)) !== undefined
}

/** Names need not be distinct, unless the change requires it. */
const writeName = async (store: Store, { email, before, after, ownName }: DecidedChange): Promise<readonly Write[]> => {
  if (after === undefined || (before !== undefined && before.displayName === after.displayName && after.email === email))
    return []
  const key = nameKeyOf(after.displayName)
  const pointer = await store.get(accountNames, key)
  if (ownName && (await isBorneByAnother(store, after.displayName, email))) throw displayNameTaken()
  // Only a change that requires a unique name has to conflict with another account taking it at the same moment.
  const still: Precondition = ownName ? { ifVersion: pointer?.version ?? null } : {}
  return [putWrite(accountNames, key, { email: after.email }, still)]
}

/** Written with every change, because accounts stored before 2026-11-26 have no such record. */
const writeBearer = ({ after }: DecidedChange): readonly Write[] =>
  after === undefined ? [] : [putWrite(accountNameBearers, bearerId(after), { email: after.email })]

const writeMember = ({ before, after }: DecidedChange): readonly Write[] => {
  if (after === undefined || (before !== undefined && memberId(before) === memberId(after))) return []
  return [putWrite(accountMembers, memberId(after), { email: after.email })]
}

/** Records the end of the account's next grant. */
const writeEnding = ({ before, after }: DecidedChange): readonly Write[] => {
  const id = after && endingId(after)
  if (after === undefined || id === undefined || id === (before && endingId(before))) return []
  return [putWrite(accountEndings, id, { email: after.email })]
}

/** Deletes outdated pointers as far as the commit has room. Readers check the account as well, so leftovers do no harm. */
const cleanUp = ({ before, after }: DecidedChange): readonly Write[] => {
  if (before === undefined) return []
  const ending = endingId(before)
  const leavesEnding = ending !== undefined && (after === undefined || endingId(after) !== ending)
  const leavesGroups = after === undefined || memberId(before) !== memberId(after)
  const leavesSubject = before.subject !== undefined && before.subject !== after?.subject
  const leavesName = after === undefined || bearerId(before) !== bearerId(after)
  return [
    ...(leavesEnding ? [deletion(accountEndings, ending)] : []),
    ...(leavesGroups ? [deletion(accountMembers, memberId(before))] : []),
    ...(leavesSubject && before.subject !== undefined ? [deletion(accountSubjects, subjectId(before.subject))] : []),
    ...(leavesName ? [deletion(accountNameBearers, bearerId(before))] : []),
  ]
}

const moveVersion = ({ email, administratorsVersion, isOfAdministrator }: DecidedChange): Write => {
  const looked: Precondition = administratorsVersion === undefined ? {} : { ifVersion: administratorsVersion }
  return isOfAdministrator || administratorsVersion !== undefined
    ? putWrite(accountVersions, administratorsVersionId, {}, looked)
    : putWrite(accountVersions, accountVersionId(email), {})
}

/** Stores the set of groups before its first member, so that `readAdministrators` misses no one. */
const keepGroupSet = async (store: Store, { before, after }: DecidedChange, known: Set<string>): Promise<void> => {
  if (after === undefined || (before !== undefined && memberId(before) === memberId(after))) return
  const id = groupSetId(after.groups)
  if (known.has(id)) return
  if ((await store.get(accountGroupSets, id)) === undefined)
    await store.put(accountGroupSets, id, { groups: [...after.groups].sort() })
  known.add(id)
}

/**
 * The writes of a change, for one commit. Records that only help to find the account may be written before, if the commit has no room.
 * `knownSets` caches which sets of groups are stored. Throws AppError `conflict` `already-exists` for the playerId or the subject of
 * another account.
 */
export const prepareAccountWrites = async (
  store: Store,
  change: DecidedChange,
  knownSets: Set<string>,
): Promise<readonly Write[]> => {
  const { email, version, after, audit } = change
  const [player, subject, name] = await Promise.all([
    writePlayer(store, change),
    writeSubject(store, change),
    writeName(store, change),
    keepGroupSet(store, change, knownSets),
  ])
  const old: Write = { ...deletion(accountsByEmail, email), ifVersion: version }
  const isMoved = after !== undefined && after.email !== email
  const account: readonly Write[] =
    after === undefined
      ? [old]
      : [putWrite(accountsByEmail, after.email, after, { ifVersion: isMoved ? null : version }), ...(isMoved ? [old] : [])]
  const needed = [
    ...account,
    ...player,
    ...subject,
    ...name,
    ...checkNeeded(change),
    moveVersion(change),
    ...(audit ? auditWrites(audit) : []),
  ]
  const found = [...writeEnding(change), ...writeBearer(change), ...writeMember(change)]
  // Readers of these records check the account, so those beyond the limit are written first. They do no harm if the commit fails.
  const room = commitMax - needed.length
  if (found.length > room) await store.commit(found.slice(room))
  return [...needed, ...found.slice(0, room), ...cleanUp(change)].slice(0, commitMax)
}

/** The writes of a change without a difference: its audit entry, with checks that the decision is still valid. */
export const prepareAuditWrites = (
  { email, version, needed, administratorsVersion }: DecidedChange,
  audit: AuditEntry,
): readonly Write[] => [
  { kind: 'check', collection: accountsByEmail.name, id: email, ifVersion: version },
  ...checkNeeded({ needed }),
  ...(administratorsVersion === undefined
    ? []
    : [
        {
          kind: 'check' as const,
          collection: accountVersions.name,
          id: administratorsVersionId,
          ifVersion: administratorsVersion,
        },
      ]),
  ...auditWrites(audit),
]
