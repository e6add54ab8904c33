import { createYamlAccountStore } from '../../../shared/domain/accounts/store/users-file/yaml-account-store.ts'
import { systemClock } from '../../../shared/kernel/clock.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import { silentLog } from '../time/silent-log.ts'
import { auditEntryFor, createSwitchedAuditLog, isInAdmin, makeAccount } from './stored-accounts.ts'

/**
 * `add <path> <name> <count> <at a time>`: adds accounts and prints the email of each once it is acknowledged.
 * `demote <path> <count>`: demotes all admins from admin0 on at once, except the last one; prints the number of demoted admins.
 */
const run = async (): Promise<void> => {
  const [mode, path = '', ...rest] = process.argv.slice(2)
  const store = createYamlAccountStore({
    path,
    isAdministrator: isInAdmin,
    audit: createSwitchedAuditLog(),
    clock: systemClock,
    log: silentLog,
  })

  const add = async (email: string): Promise<void> => {
    await store.change(email, (current) => {
      if (current) throw new Error(`${email} is there already`)
      return { next: makeAccount(email), audit: auditEntryFor(email), result: undefined }
    })
    process.stdout.write(`${email}\n`)
  }

  const demote = (email: string): Promise<boolean> =>
    store
      .change(email, (current, { administrators }) => {
        if (current && administrators.size === 1) throw new AppError('conflict', 'last-administrator', 'Make another one first.')
        return { next: undefined, result: current !== undefined }
      })
      .catch(() => false)

  process.stdout.write('ready\n')
  await new Promise((resolve) => process.stdin.once('data', resolve))
  process.stdin.pause()

  if (mode === 'add') {
    const [name, count, atATime] = [rest[0] ?? '', Number(rest[1]), Number(rest[2])]
    for (let first = 0; first < count; first += atATime)
      await Promise.all(
        Array.from({ length: Math.min(atATime, count - first) }, (_, at) => add(`${name}${first + at}@example.com`)),
      )
  } else {
    const taken = await Promise.all(Array.from({ length: Number(rest[0]) }, (_, at) => demote(`admin${at}@example.com`)))
    process.stdout.write(`${taken.filter(Boolean).length}\n`)
  }
  await store.close()
}

export const main = run()
