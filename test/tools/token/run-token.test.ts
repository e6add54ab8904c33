import { beforeEach, describe, expect, it } from '@jest/globals'
import { createOperator } from '../../../realtime/commands/executor/operator.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import { runToken } from '../../../tools/token/run-token.ts'
import { createRealtimeFixture } from '../../support/realtime/realtime-fixture.ts'
import { createFixedClock } from '../../support/time/fixed-clock.ts'

const email = 'ann@example.com'

describe('npm run token', () => {
  let fixture: ReturnType<typeof createRealtimeFixture>
  let closed: number
  beforeEach(async () => {
    fixture = createRealtimeFixture({ clock: createFixedClock() })
    closed = 0
    await fixture.addAccount('ann')
  })

  const run = async (...args: readonly string[]) => {
    const printed: string[] = []
    const complained: string[] = []
    const close = async () => {
      closed += 1
    }
    const code = await runToken({
      args,
      openTask: async () => ({ ...fixture, names: fixture.permissions.names, operator: createOperator('r'), close }),
      print: (text) => void printed.push(text),
      complain: (text) => void complained.push(text),
    })
    return { code, printed: printed.join(''), complained: complained.join('') }
  }

  it('creates a token and prints it alone', async () => {
    const { code, printed, complained } = await run('create', email, 'nightly backup', 'admin.backups.*', 'command.who')
    expect({ code, complained }).toEqual({ code: 0, complained: '' })
    expect(printed).toMatch(/^ght_[A-Za-z0-9_-]{43}\n$/)
    expect(await fixture.tokens.find(printed.trim())).toMatchObject({ scope: ['admin.backups.*', 'command.who'], verified: true })
    expect((await fixture.audit.listEntries({ limit: 5 })).entries).toMatchObject([
      { action: 'token.create', actor: 'operator', via: 'cli', target: email },
    ])
    expect(closed).toBe(1)
  })

  it('lists tokens with their owner, end and permissions, never their secret', async () => {
    const expires = new Date(fixture.clock.now() + 60_000).toISOString()
    const made = await run('create', email, 'ci', 'admin.configs.*', '--expires', expires)
    await fixture.addAccount('bob')
    await run('create', 'bob@example.com', 'bot', '*')
    const all = await run('list')
    expect(all.printed.split('\n')).toHaveLength(3)
    expect(all.printed).not.toContain(made.printed.trim())
    const one = await run('list', email)
    const now = new Date(fixture.clock.now()).toISOString()
    expect(one.printed.trim().split('\t').slice(1)).toEqual([email, now, expires, 'never', 'ci', 'admin.configs.*'])
  })

  it('deletes a token by its id', async () => {
    const { printed } = await run('create', email, 'ci', '*')
    const [id = ''] = (await run('list')).printed.split('\t')
    expect(await run('delete', id)).toEqual({ code: 0, printed: `Deleted ${id} of ${email}.\n`, complained: '' })
    expect(await fixture.tokens.find(printed.trim())).toBeUndefined()
    expect(await run('delete', id)).toMatchObject({ code: 2, complained: expect.stringContaining('no API token with the id') })
  })

  it.each([
    [[]],
    [['create']],
    [['create', email, 'ci']],
    [['delete']],
    [['delete', 'a', 'b']],
    [['list', 'a', 'b']],
    [['list', '--expires', '2999-01-01T00:00:00Z']],
    [['create', email, 'ci', '*', '--expires', 'tomorrow']],
    [['create', email, 'ci', '*', '--for-ever']],
    [['rotate', 'x']],
  ])('exits with 1 and its usage for %j, and opens nothing', async (args) => {
    const { code, printed, complained } = await run(...args)
    expect({ code, printed, closed }).toEqual({ code: 1, printed: '', closed: 0 })
    expect(complained).toContain('npm run token -- create <email> <name> <permission>...')
  })

  it.each([
    ['an unknown account', ['create', 'nobody@example.com', 'ci', '*'], /No account|no account/],
    ['an unknown permission', ['create', email, 'ci', 'admin.backup.read'], /Unknown permission `admin.backup.read`/],
    ['a permission that takes away', ['create', email, 'ci', '--', '-admin.users.read'], /cannot take a permission away/],
    ['an end in the past', ['create', email, 'ci', '*', '--expires', '2000-01-01T00:00:00Z'], /in the past/],
    ['an invisible name', ['create', email, '\u200b', '*'], /name of the API token is not valid/],
    ['an unknown account to list', ['list', 'nobody@example.com'], /account/],
  ])('exits with 2 and the reason for %s', async (_what, args, reason) => {
    const { code, printed, complained } = await run(...args)
    expect({ code, printed, closed }).toEqual({ code: 2, printed: '', closed: 1 })
    expect(complained).toMatch(reason)
  })

  it('exits with 2 and the reason when the accounts cannot be opened', async () => {
    const complained: string[] = []
    const code = await runToken({
      args: ['list'],
      openTask: () => Promise.reject(new AppError('unavailable', 'accounts-unreadable', 'users.yaml does not parse.')),
      print: () => undefined,
      complain: (text) => void complained.push(text),
    })
    expect([code, ...complained]).toEqual([2, 'users.yaml does not parse.\n'])
  })
})
