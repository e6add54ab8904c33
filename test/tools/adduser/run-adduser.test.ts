import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { AppError } from '../../../shared/kernel/errors.ts'
import { runAdduser } from '../../../tools/adduser/run-adduser.ts'
import { type AccountFixture, createAccountFixture, operator, password } from '../../support/accounts/account-fixture.ts'

const email = 'ann@example.com'

describe('adduser', () => {
  let fixture: AccountFixture
  let closed: number
  beforeEach(async () => {
    fixture = await createAccountFixture()
    closed = 0
  })
  afterEach(() => fixture.close())

  const run = async (args: readonly string[], input: readonly string[] = [], openTask?: () => Promise<never>) => {
    const printed: string[] = []
    const complained: string[] = []
    const stdin = (async function* () {
      yield* input.map((text) => Buffer.from(text))
    })()
    const close = async () => {
      closed += 1
    }
    const code = await runAdduser({
      args,
      openTask: openTask ?? (async () => ({ accounts: fixture.accounts, operator, close })),
      stdin,
      print: (text) => void printed.push(text),
      complain: (text) => void complained.push(text),
    })
    return { code, printed: printed.join(''), complained: complained.join('') }
  }

  it('adds an account, reports it and closes what it opened', async () => {
    const { code, printed, complained } = await run([email, password, 'Ann Lee', '--groups', 'admin,builder'])
    expect({ code, complained }).toEqual({ code: 0, complained: '' })
    expect(printed).toBe('Added ann@example.com as "Ann Lee" in admin, builder.\n')
    expect(closed).toBe(1)
    const account = await fixture.accounts.getAccount(email)
    expect(account).toMatchObject({ displayName: 'Ann Lee', groups: ['admin', 'builder'] })
    expect(await fixture.passwords.verify(password, account.passwordHash, '192.0.2.1')).toBe(true)
    expect(await fixture.listAudit()).toEqual([expect.objectContaining({ actor: 'operator', via: 'cli' })])
  })

  it.each([
    [[password]],
    [[`${password}\n`]],
    [[`${password}\r\n`, 'more\n']],
    [[password.slice(0, 5), `${password.slice(5)}\nmore`]],
  ])('reads the password from the first line of standard input: %j', async (input) => {
    expect((await run([email, '-'], input)).code).toBe(0)
    const { passwordHash } = await fixture.accounts.getAccount(email)
    expect(await fixture.passwords.verify(password, passwordHash, '192.0.2.1')).toBe(true)
  })

  it('prints the usage and opens nothing when the arguments are invalid', async () => {
    const { code, printed, complained } = await run([email])
    expect({ code, printed }).toEqual({ code: 1, printed: '' })
    expect(complained).toContain('npm run adduser -- <email> <password>')
    expect(closed).toBe(0)
  })

  it.each([
    ['a taken email', ['taken@example.com', password], /already/],
    ['an invalid email', ['ann', password], /email must be/],
    ['a short password', [email, '1234567'], /password must be at least 8/],
    ['an empty password', [email, ''], /password must be at least 8/],
    ['an unknown group', [email, password, '--groups', 'nope'], /groups\/0 Unknown group `nope`/],
  ])('refuses %s with the reason, and adds nothing', async (_what, args, reason) => {
    const taken = await fixture.plant('taken@example.com')
    const { code, printed, complained } = await run(args)
    expect({ code, printed }).toEqual({ code: 2, printed: '' })
    expect(complained).toMatch(reason)
    expect(complained).not.toContain(password)
    expect(closed).toBe(1)
    expect((await fixture.accountStore.listAccounts({ limit: 10 })).accounts).toEqual([taken])
  })

  it('prints the reason when the accounts cannot be opened', async () => {
    const broken = async () => {
      throw new AppError('unavailable', 'accounts-unreadable', 'users.yaml does not parse.')
    }
    expect(await run([email, password], [], broken)).toEqual({ code: 2, printed: '', complained: 'users.yaml does not parse.\n' })
  })
})
