import type { Clock } from '../../../kernel/clock.ts'
import { AppError } from '../../../kernel/errors.ts'
import { type Ids, isUuid } from '../../../kernel/ids.ts'
import { putWrite, type Store, type StoredRecord } from '../../../platform/storage/store.ts'
import type { Actor } from '../../accounts/actor.ts'
import { refuseBeyondOwn, refuseUnknownGroups } from '../../accounts/who-may-grant.ts'
import { createAuditEntry } from '../../audit/audit-entry.ts'
import { auditWrites } from '../../audit/store-audit-log.ts'
import { type Invitation, type InvitationRecord, invitationRecords } from './invitation.ts'
import { type IssuerDeps, isIssuerStillAllowed } from './issuer-rights.ts'
import { createLinkCode, isSameHash, parseLinkCode } from './link-secret.ts'

const dayMs = 86_400_000
const lifeMsDefault = 7 * dayMs
const lifeMsMax = 90 * dayMs
/** Maximum number of open invitations. */
export const invitationsMax = 1_000
/** A registration that takes longer is considered dead. */
const takenForMs = 60_000
/** A registration that takes longer fails, because another one may soon use the invitation. */
const usedWithinMs = 30_000

/** Either permits creating invitations: one is for the route, the other for the command. */
const invitePermissions = ['admin.users.write', 'command.invite']

export type NewInvitation = { readonly groups?: readonly string[]; readonly note?: string; readonly until?: string }

export type Invitations = {
  /** The code is returned only here. Throws `unknown-group`, `beyond-own-permissions`, and `rule-broken` for an invalid end. */
  create(actor: Actor, input: NewInvitation): Promise<Invitation & { readonly code: string }>
  /** Open invitations, newest first. */
  list(): Promise<readonly Invitation[]>
  /** Throws `not-found`. */
  remove(actor: Actor, id: string): Promise<void>
  /**
   * Calls `use` to create the account of `email`. Uses the invitation up if that returns true; otherwise the invitation stays valid.
   * `use` must call `checkHeld` right before it writes the account; it throws if the registration took too long.
   * Throws `forbidden` `invalid-invitation` for every invalid code, including one whose creator could no longer create it, and `conflict`
   * while another registration uses it.
   */
  redeem(
    code: string,
    email: string,
    use: (groups: readonly string[] | undefined, checkHeld: () => void) => Promise<boolean>,
  ): Promise<void>
}

type Deps = IssuerDeps & {
  readonly store: Store
  readonly clock: Clock
  readonly ids: Ids
}

const invalidInvitation = () =>
  new AppError('forbidden', 'invalid-invitation', 'This invitation is invalid, used or expired. Ask for a new one.')

const inUse = () =>
  new AppError(
    'conflict',
    'conflict',
    'Another registration is using this invitation. If it was yours and it failed, try again in a minute.',
  )

/** An account that the invitation would create in these groups. */
const accountIn = (groups: readonly string[]) => ({
  email: '',
  playerId: '',
  displayName: '',
  createdAt: '',
  groups: [...groups],
})

const refuseEnd = (message: string) =>
  new AppError('unprocessable', 'rule-broken', 'The invitation is not valid.', { errors: [{ pointer: '/until', message }] })

const viewInvitation = ({ hash: _, takenBy: __, takenAt: ___, ...invitation }: InvitationRecord): Invitation => invitation

/** Invitations in a Store. The account and the use of its invitation are two writes; a crash between them neither allows a second use nor loses the invitation. */
export const createInvitations = (deps: Deps): Invitations => {
  const { store, accountStore, permissions, clock, ids } = deps
  const isOver = ({ until }: Invitation): boolean => Date.parse(until) <= clock.now()
  const isHeld = ({ takenAt }: InvitationRecord): boolean =>
    takenAt !== undefined && clock.now() - Date.parse(takenAt) < takenForMs
  const listAll = async (): Promise<readonly StoredRecord<InvitationRecord>[]> =>
    (await store.list(invitationRecords, { limit: invitationsMax })).records
  const forget = (id: string) => store.delete(invitationRecords, id)

  /** Whether its account exists: then the invitation is used, even if the second write is missing. */
  const isUsed = async ({ takenBy, takenAt }: InvitationRecord): Promise<boolean> => {
    if (takenBy === undefined || takenAt === undefined) return false
    const account = await accountStore.findByEmail(takenBy)
    return account !== undefined && account.createdAt >= takenAt
  }

  /** Whether the creator has lost a permission that the invitation gives. */
  const isBeyondMaker = async ({ by, groups }: Invitation): Promise<boolean> =>
    groups !== undefined &&
    !(await isIssuerStillAllowed(deps, by, { before: undefined, after: accountIn(groups) }, invitePermissions))

  const take = async (code: string, email: string) => {
    const parsed = parseLinkCode(code)
    const found = parsed && (await store.get(invitationRecords, parsed.id))
    if (parsed === undefined || found === undefined || !isSameHash(found.value.hash, parsed.hash)) throw invalidInvitation()
    const { takenBy: _, takenAt: __, ...free } = found.value
    if (isOver(free)) throw invalidInvitation()
    if (isHeld(found.value)) throw inUse()
    if (await isUsed(found.value)) {
      await forget(free.id)
      throw invalidInvitation()
    }
    if (await isBeyondMaker(free)) throw invalidInvitation()
    const taken = { ...free, takenBy: email, takenAt: new Date(clock.now()).toISOString() }
    const version = await store.put(invitationRecords, free.id, taken, { ifVersion: found.version }).catch((error: unknown) => {
      throw error instanceof AppError && error.kind === 'conflict' ? inUse() : error
    })
    const takenAtMs = clock.now()
    const checkHeld = (): void => {
      if (clock.now() - takenAtMs > usedWithinMs) throw invalidInvitation()
    }
    return {
      free,
      checkHeld,
      giveBack: () => store.put(invitationRecords, free.id, free, { ifVersion: version }).catch(() => undefined),
    }
  }

  return {
    create: async (actor, { groups, note, until }) => {
      if (groups !== undefined) {
        refuseUnknownGroups(permissions, groups, [])
        refuseBeyondOwn(permissions, actor.rules, { before: undefined, after: accountIn(groups) })
      }
      const now = clock.now()
      const untilMs = until === undefined ? now + lifeMsDefault : Date.parse(until)
      if (untilMs <= now) throw refuseEnd('must be in the future')
      if (untilMs > now + lifeMsMax) throw refuseEnd('must be within 90 days')
      const open = await listAll()
      await Promise.all(open.filter(({ value }) => isOver(value)).map(({ id }) => forget(id)))
      if (open.filter(({ value }) => !isOver(value)).length >= invitationsMax)
        throw new AppError('conflict', 'conflict', `There are ${invitationsMax} open invitations. Revoke some first.`)
      const { id, hash, code } = createLinkCode(ids, ids.uuid())
      const times = { at: new Date(now).toISOString(), until: new Date(untilMs).toISOString() }
      const invitation: Invitation = {
        id,
        by: actor.email,
        ...times,
        ...(groups && { groups: [...new Set(groups)] }),
        ...(note !== undefined && { note }),
      }
      const entry = createAuditEntry({ clock, ids }, actor, {
        action: 'invitation.create',
        target: id,
        before: null,
        after: invitation,
      })
      const record = putWrite(invitationRecords, id, { ...invitation, hash }, { ifVersion: null })
      await store.commit([record, ...auditWrites(entry)])
      return { ...invitation, code }
    },
    list: async () =>
      (await listAll())
        .map(({ value }) => viewInvitation(value))
        .filter((invitation) => !isOver(invitation))
        .sort((a, b) => (a.at < b.at ? 1 : -1)),
    remove: async (actor, id) => {
      const found = isUuid(id) ? await store.get(invitationRecords, id.toLowerCase()) : undefined
      if (found === undefined) throw new AppError('not-found', 'not-found', 'There is no open invitation with that id.')
      const entry = createAuditEntry({ clock, ids }, actor, {
        action: 'invitation.remove',
        target: found.value.id,
        before: viewInvitation(found.value),
        after: null,
      })
      const gone = { kind: 'delete' as const, collection: invitationRecords.name, id: found.value.id }
      await store.commit([{ ...gone, ifVersion: found.version }, ...auditWrites(entry)])
    },
    redeem: async (code, email, use) => {
      const { free, checkHeld, giveBack } = await take(code, email)
      let isMade = false
      try {
        isMade = await use(free.groups, checkHeld)
      } finally {
        if (isMade) await forget(free.id)
        else await giveBack()
      }
    },
  }
}
