import type { Account } from '../../shared/accounts/account.ts'
import type { Ids } from '../../shared/kernel/ids.ts'
import { allowsSame } from '../../shared/permissions/allows-same.ts'
import type { Permissions } from '../../shared/permissions/permissions.ts'
import type { RuleSet } from '../../shared/permissions/rules.ts'
import type { CommandCaller } from '../commands/command.ts'
import type { CommandExecutor } from '../commands/executor/executor.ts'
import type { Interest } from '../interest/interest.ts'
import type { Closing } from '../socket/closing.ts'
import type { EntryRules } from './entry-rules.ts'
import type { Session } from './session.ts'

/** What a session may do at this moment, and telling its client when that changes. */
export type SessionAccess = {
  callerOf(session: Session): CommandCaller
  /** Notes what a client is about to be welcomed with. */
  welcome(session: Session): void
  /** Takes a changed account into force; the client hears of new groups, permissions and commands. */
  applyAccount(session: Session, account: Account): void
  applyDisabled(session: Session, disabled: ReadonlySet<string>): void
  /** Groups were read again: everybody is looked at again, a part in each tick. */
  review(sessions: Iterable<Session>): void
  /** Goes on with that. */
  step(): void
}

/** Sessions looked at in one tick: listing commands costs some 20 µs each. */
const reviewsPerTick = 200

const sameList = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((value, i) => value === b[i])

/** Sessions of the same groups share their rules, so a pair is compared once for all of them. */
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
  /** Ends a session whose player may not be in the game any more. */
  readonly turnOut: (session: Session, closing: Closing) => void
}): SessionAccess => {
  const { permissions, executor, interest, ids, entry, turnOut } = deps
  const [isStill, isStillUnverified] = [createRulesMemory(true), createRulesMemory(false)]
  let reviews: Session[] = []

  const callerOf = ({ account, verified, disabled, connection }: Session): CommandCaller => ({
    actor: {
      email: account.email,
      playerId: account.playerId,
      displayName: account.displayName,
      verified,
      rules: permissions.rulesFor(account.groups),
      via: 'command',
      requestId: ids.uuid(),
    },
    playerId: account.playerId,
    address: connection?.address,
    disabled,
  })

  const note = (session: Session): void => {
    const caller = callerOf(session)
    session.commands = executor.listCommandsFor(caller)
    session.rules = caller.actor.rules
  }

  const refresh = (session: Session, tell: boolean): void => {
    const closing = entry.findClosing(session.account, session.verified)
    if (closing !== undefined) {
      turnOut(session, closing)
      return
    }
    const { commands: before, rules } = session
    note(session)
    const { commands } = session
    const isSame = sameList(
      commands.map(({ name }) => name),
      before.map(({ name }) => name),
    )
    const maySame = session.verified ? isStill : isStillUnverified
    if (isSame && maySame(rules, session.rules) && !tell) return
    const groups = [...session.account.groups]
    session.connection?.send({ $case: 'permissionsChanged', value: { groups, commands: [...commands] } })
  }

  return {
    callerOf,
    welcome: note,
    applyAccount: (session, account) => {
      const { account: before } = session
      session.account = account
      if (account.displayName !== before.displayName) interest.renameBody(session.body, account.displayName)
      refresh(session, !sameList(account.groups, before.groups))
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
