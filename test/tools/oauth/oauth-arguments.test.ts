import { describe, expect, it } from '@jest/globals'
import { AppError } from '../../../shared/kernel/errors.ts'
import { runOauth } from '../../../tools/oauth/run-oauth.ts'

const run = async (args: readonly string[], openTask = (): Promise<never> => Promise.reject(new Error('opened'))) => {
  let complained = ''
  const code = await runOauth({
    args,
    openTask,
    readText: async () => '',
    print: () => undefined,
    complain: (text) => {
      complained += text
    },
  })
  return { code, complained }
}

describe('the command line of npm run oauth', () => {
  it.each([
    [[], 'Name a command.'],
    [['chekc'], 'no command "chekc"'],
    [['check', 'more'], 'Too many'],
    [['check', '--nope'], 'An option is unknown'],
    [['check', '--email', 'a@example.com'], 'Give --email and --values together'],
    [['check', '--email', 'nobody', '--values', 'x'], 'must be an email'],
  ])('answers %j with 1, the reason and its usage, and opens nothing', async (args, reason) => {
    const { code, complained } = await run(args)
    expect(code).toBe(1)
    expect(complained).toContain(reason)
    expect(complained).toContain('npm run oauth -- check')
  })

  it('exits with 2 and the faults of an invalid config', async () => {
    const broken = new AppError('invalid', 'invalid-config', 'server.yaml is broken.', {
      errors: [{ pointer: '/auth', message: 'is wrong' }],
    })
    expect(await run(['check'], () => Promise.reject(broken))).toEqual({
      code: 2,
      complained: 'server.yaml is broken.\n  auth is wrong\n',
    })
  })
})
