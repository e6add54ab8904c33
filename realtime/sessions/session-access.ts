import { isDeepStrictEqual } from 'node:util'
import type { Account } from '../../shared/domain/accounts/account.ts'
import { type AccountGrant, isGrantInForce, type PermissionScope } from '../../shared/domain/permissions/account-grant.ts'
import { allowsSame } from '../../shared/domain/permissions/covers-rules.ts'
import { isLimitedSignIn } from '../../shared/domain/permissions/limited-sign-in.ts'
import type { Permissions } from '../../shared/domain/permissions/permissions.ts'
import type { RuleSet } from '../../shared/domain/permissions/rules.ts'
import type { Ids } from '../../shared/kernel/ids.ts'
import type { CommandCaller } from '../commands/command.ts'
import type { CommandExecutor } from '../commands/executor/executor.ts'
import type { Interest } from '../interest/interest.ts'
import { type Closing, closings } from '../socket/closing.ts'
import type { EntryRules } from './entry-rules.ts'
import { tellMayFly } from './may-fly.ts'
import type { Session } from './session.ts'

/** The current rights of sessions, and messages to their clients about changes. */
export type SessionAccess = {
  callerOf(session: Session): CommandCaller
  /** The rules of its sign-in at the place of its player. */
  rulesHere(session: Session): RuleSet
  /** Records the groups and commands that the player has now. */
  note(session: Session): void
  /** Records what the client is about to get in Welcome. */
  welcome(session: Session): void
  /** Applies a changed account. The client gets new groups, permissions and commands. */
  applyAccount(session: Session, account: Account): void
  applyDisabled(session: Session, disabled: ReadonlySet<string>): void
  /** The player is in another zone. Grants for zones may add or remove commands. */
  moved(session: Session): void
  /** Informs the client about grants that have expired since the last call. Ends the session of an expired API token. */
  noteEnded(session: Session): void
  /** Groups were read again. All sessions are checked again, some in each tick. */
  review(sessions: Iterable<Session>): void
  /** Continues the review. */
  step(): void
}

/** The number of sessions checked in one tick. Listing commands takes about 20 µs each. */
const reviewsPerTick = 200

const sameList = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((value, i) => value === b[i])

/** Sessions of the same groups share their rules, so each pair is compared once. */
const createRulesMemory = (verified: boolean) => {
  const compared = new WeakMap<RuleSet, { readonly now: RuleSet; readonly isSame: boolean }>()
  return (before: RuleSet, now: RuleSet): boolean => {
    const known = compared.get(before)
    if (known?.now === now) return known.isSame
    const isSame = allowsSame(before, now, verified)
    compared.set(before, { now, isSame })
    return isSame
  }
}

export const createSessionAccess = (deps: {
  readonly permissions: Permissions
  readonly executor: CommandExecutor
  readonly interest: Interest
  readonly ids: Ids
  readonly entry: EntryRules
  /** The place of its player. */
  readonly scopeOf: (session: Session) => PermissionScope
  /** Ends a session whose player may no longer be in the game. */
  readonly endIfCurrent: (session: Session, closing: Closing) => void
}): SessionAccess => {
  const { permissions, executor, interest, ids, entry, scopeOf, endIfCurrent } = deps
  const [isStill, isStillUnverified] = [createRulesMemory(true), createRulesMemory(false)]
  let reviews: Session[] = []
  /** The active grants of a session at its last check. */
  const granted = new WeakMap<Session, readonly AccountGrant[]>()

  const grantsOf = ({ account, verified }: Session): readonly AccountGrant[] =>
    isLimitedSignIn(account, verified) ? [] : (account.grants ?? [])

  const tellEnded = (session: Session): boolean => {
    const nowMs = permissions.nowMs()
    const now = grantsOf(session).filter((grant) => isGrantInForce(grant, nowMs))
    const ended = (granted.get(session) ?? []).filter(
      (grant) => !isGrantInForce(grant, nowMs) && !now.some(({ id }) => id === grant.id),
    )
    granted.set(session, now)
    for (const { group, permission } of ended) {
      const text = `Your grant of ${group ?? permission} has ended.`
      session.connection?.send({ $case: 'notice', value: { severity: 'info', kind: 'grant-ended', text } })
    }
    return ended.length > 0
  }

  const callerOf = (session: Session): CommandCaller => {
    const { account, verified, disabled, connection } = session
    return {
      actor: {
        email: account.email,
        playerId: account.playerId,
        displayName: account.displayName,
        verified,
        rules: permissions.rulesOfSignIn(account, session),
        via: 'command',
        requestId: ids.uuid(),
      },
      playerId: account.playerId,
      address: connection?.address,
      isLimited: isLimitedSignIn(account, verified),
      disabled,
      ...(account.grants !== undefined && { rulesHere: permissions.rulesOfSignIn(account, session, scopeOf(session)) }),
    }
  }

  const note = (session: Session): void => {
    const caller = callerOf(session)
    session.commands = executor.listCommandsFor(caller)
    session.rules = caller.actor.rules
    session.groups = permissions.groupsOfSignIn(session.account, session.verified)
  }

  const refresh = (session: Session, tell: boolean): void => {
    const closing = entry.findClosing(session.account, session)
    if (closing !== undefined) {
      endIfCurrent(session, closing)
      return
    }
    const { commands: before, rules, groups: groupsBefore } = session
    note(session)
    const { commands, groups } = session
    const isSame =
      sameList(groups, groupsBefore) &&
      sameList(
        commands.map(({ name }) => name),
        before.map(({ name }) => name),
      )
    const maySame = session.verified ? isStill : isStillUnverified
    if (isSame && maySame(rules, session.rules) && !tell) return
    session.connection?.send({
      $case: 'permissionsChanged',
      value: { groups: [...groups], commands: [...commands], ...tellMayFly(session) },
    })
  }

  return {
    callerOf,
    rulesHere: (session) => permissions.rulesOfSignIn(session.account, session, scopeOf(session)),
    note,
    welcome: (session) => {
      tellEnded(session)
      note(session)
    },
    moved: (session) => {
      if (session.account.grants?.some(({ zone }) => zone !== undefined)) refresh(session, false)
    },
    noteEnded: (session) => {
      if (session.endsAt !== undefined && session.endsAt <= permissions.nowMs()) {
        endIfCurrent(session, closings.signInEnded)
        return
      }
      if (tellEnded(session)) refresh(session, true)
    },
    applyAccount: (session, account) => {
      const { account: before } = session
      session.account = account
      if (account.displayName !== before.displayName) interest.renameBody(session.body, account.displayName)
      tellEnded(session)
      refresh(session, !isDeepStrictEqual(account.grants, before.grants))
    },
    applyDisabled: (session, disabled) => {
      session.disabled = disabled
      refresh(session, false)
    },
    review: (sessions) => {
      reviews = [...sessions]
    },
    step: () => {
      for (const session of reviews.splice(0, reviewsPerTick)) refresh(session, false)
    },
  }
}
