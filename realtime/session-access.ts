import type { Account } from '../shared/accounts/account.ts'
import type { Ids } from '../shared/kernel/ids.ts'
import type { Permissions } from '../shared/permissions/permissions.ts'
import type { CommandCaller } from './commands/command.ts'
import type { CommandExecutor } from './commands/executor.ts'
import type { Interest } from './interest/interest.ts'
import type { Session } from './session.ts'

/** What a session may do at this moment, and telling its client when that changes. */
export type SessionAccess = {
  callerOf(session: Session): CommandCaller
  /** Takes a changed account into force; the client hears of new groups and commands. */
  applyAccount(session: Session, account: Account): void
  applyDisabled(session: Session, disabled: ReadonlySet<string>): void
  /** Groups were read again: everybody is looked at anew, a part in each tick. */
  review(sessions: Iterable<Session>): void
  /** Goes on with that. */
  step(): void
}

/** Sessions looked at in one tick: listing commands costs some 20 µs each. */
const reviewsPerTick = 200

const sameList = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((value, i) => value === b[i])

export const createSessionAccess = (deps: {
  readonly permissions: Permissions
  readonly executor: CommandExecutor
  readonly interest: Interest
  readonly ids: Ids
}): SessionAccess => {
  const { permissions, executor, interest, ids } = deps
  let reviews: Session[] = []

  const callerOf = ({ account, verified, disabled }: Session): CommandCaller => ({
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
    disabled,
  })

  const refresh = (session: Session, tell: boolean): void => {
    const commands = executor.listCommandsFor(callerOf(session))
    const isSame = sameList(
      commands.map(({ name }) => name),
      session.commands.map(({ name }) => name),
    )
    session.commands = commands
    if (isSame && !tell) return
    const groups = [...session.account.groups]
    session.connection?.send({ $case: 'permissionsChanged', value: { groups, commands: [...commands] } })
  }

  return {
    callerOf,
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
