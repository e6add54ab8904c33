import { describe, expect, it } from '@jest/globals'
import type { Command } from '../../../../realtime/commands/command.ts'
import { createCommandList } from '../../../../realtime/commands/command-list.ts'
import { usageOf } from '../../../../realtime/commands/executor/bind-arguments.ts'
import { createCommandExecutor } from '../../../../realtime/commands/executor/executor.ts'
import { AppError } from '../../../../shared/kernel/errors.ts'
import { createOperatorCaller } from '../../../support/realtime/operator-caller.ts'
import { createCommandFixture } from '../command-fixture.ts'

const secret = 'p4ss"wörd\\x'
const operator = createOperatorCaller('request-7')

const createEcho = (run: Command['run']): Command => ({
  name: 'echo',
  description: 'Says what it was given.',
  forms: [
    [
      { name: 'word', kind: 'word' },
      { name: 'count', kind: 'number', optional: true },
      { name: 'items', kind: 'list', optional: true },
      { name: 'rest', kind: 'text', optional: true },
    ],
  ],
  permission: 'none',
  privileged: false,
  run,
})
const echo = createEcho((_context, _caller, args) => ({ ok: true, text: 'done', data: args }))
const hide = (run: Command['run']): Command => ({
  ...createEcho(run),
  name: 'hide',
  forms: [
    [
      { name: 'password', kind: 'word', secret: true },
      { name: 'count', kind: 'number' },
    ],
  ],
})

const createWith = (commands: readonly Command[]) => {
  const { deps, log, lines } = createCommandFixture()
  return { executor: createCommandExecutor({ commands: createCommandList(commands), deps, log }), lines }
}

describe('the command executor', () => {
  it('checks in the order unknown, switched off, permission, arguments', async () => {
    const { executor, addAccount, callerFor } = createCommandFixture()
    const caller = await callerFor(await addAccount('ann@example.org'))
    const off = { ...caller, disabled: new Set(['kick', 'help', 'command:enable', 'who']) }
    const codeOf = async (text: string, by = caller) => Object((await executor.execute(by, text)).data).code
    expect(await codeOf('/kikc "open', off)).toBe('unknown-command')
    expect(await codeOf('/kick "open', off)).toBe('command-disabled')
    expect(await codeOf('/kick "open')).toBe('missing-permission')
    expect(await codeOf('/who extra', off)).toBe('command-disabled')
    expect(await codeOf('/who extra')).toBe('bad-arguments')
    expect(await codeOf('/who')).toBe(undefined)
  })

  it('never lets a player switch off help or command:enable', async () => {
    const { executor, addAccount, callerFor } = createCommandFixture()
    const caller = { ...(await callerFor(await addAccount('ann@example.org'))), disabled: new Set(['help', 'command:enable']) }
    expect(await executor.execute(caller, '/help')).toMatchObject({ ok: true })
    expect(executor.listCommandsFor(caller).map(({ name }) => name)).toEqual(expect.arrayContaining(['help', 'command:enable']))
  })

  it('leaves switched-off commands out of the list, and matches names in any letter case', async () => {
    const { executor, addAccount, callerFor } = createCommandFixture()
    const caller = { ...(await callerFor(await addAccount('ann@example.org'))), disabled: new Set(['who']) }
    expect(executor.listCommandsFor(caller)).not.toContainEqual(expect.objectContaining({ name: 'who' }))
    expect(await executor.execute(caller, '/HeLp WHO')).toMatchObject({ ok: true, text: expect.stringContaining('/who') })
  })

  it.each([
    ['/hlep', 'help'],
    ['/rbac:setgruop x', 'rbac:setgroup'],
  ])('names the nearest command to %s', async (text, nearest) => {
    const { executor } = createCommandFixture()
    const reply = await executor.execute(operator, text)
    expect(reply).toMatchObject({ ok: false, data: { code: 'unknown-command', nearest } })
    expect(reply.text.length).toBeLessThan(200)
  })

  it('suggests no command when none is similar, and does not echo long input', async () => {
    const { executor } = createCommandFixture()
    const reply = await executor.execute(operator, `/${'x'.repeat(500)}`)
    expect(reply).toMatchObject({ ok: false, data: { code: 'unknown-command' } })
    expect(reply.data).not.toHaveProperty('nearest')
    expect(reply.text).not.toContain('nearest')
    expect(reply.text.length).toBeLessThan(200)
  })

  it.each([
    ['/echo a', { word: 'a' }],
    ['/echo "a b" -1.5 x,y,x "one quoted"', { word: 'a b', count: -1.5, items: ['x', 'y'], rest: 'one quoted' }],
    ['/echo a 1 x  the  rest "as it" is ', { word: 'a', count: 1, items: ['x'], rest: 'the  rest "as it" is' }],
    ['/echo 世界 "" "" 👋', { word: '世界', rest: '👋' }],
    [`/echo ${'é'.repeat(500)}`, { word: 'é'.repeat(500) }],
  ])('passes a command its arguments: %s', async (text, expected) => {
    expect(await createWith([echo]).executor.execute(operator, text)).toEqual({ ok: true, text: 'done', data: expected })
  })

  it.each([
    ['/echo', /<word> is missing/],
    ['/echo ""', /<word> must not be empty/],
    ['/echo "a', /quote is not closed/],
    ['/echo a one', /<count> must be a number/],
    ['/echo a 0x10', /<count> must be a number/],
    ['/echo a 1e999', /<count> must be a number/],
    ['/echo a 1 x,,y', /<items> must be names separated by commas/],
    ['/hide a 1 2', /too many arguments/],
    ['/hide a', /<count> is missing/],
    [`/echo ${'a'.repeat(512)}`, /512 characters/],
    ['/echo a\u0007', /control characters/],
    ['echo', /begins with a slash/],
  ])('refuses %j as bad arguments', async (text, message) => {
    const { executor } = createWith([echo, hide(() => ({ ok: true, text: '' }))])
    expect(await executor.execute(operator, text)).toMatchObject({
      ok: false,
      text: expect.stringMatching(message),
      data: { code: 'bad-arguments' },
    })
  })

  it('shows the usage with an argument fault, and never echoes the input', async () => {
    const { executor } = createWith([hide(() => ({ ok: true, text: '' }))])
    const reply = await executor.execute(operator, '/hide 12 hunter22')
    expect(reply).toMatchObject({ text: expect.stringContaining('Usage: /hide <password> <count>') })
    expect(JSON.stringify(reply)).not.toContain('hunter22')
  })

  it('answers with the public text of a domain error', async () => {
    const refusing = createEcho(() => {
      throw new AppError('unprocessable', 'unknown-group', 'A group does not exist.', {
        cause: 'private',
        errors: [{ pointer: '/items/1', message: 'is not a group that exists' }],
      })
    })
    const { executor, lines } = createWith([refusing])
    expect(await executor.execute(operator, '/echo a 1 builder,nobody')).toEqual({
      ok: false,
      text: '"nobody" is not a group that exists.',
      data: { code: 'refused', slug: 'unknown-group' },
    })
    expect(lines).toEqual([])
  })

  it('answers an internal fault with only the request id, and logs the cause without secrets', async () => {
    const failing = hide(() => {
      throw new Error(`cannot hash ${secret}`, { cause: { password: secret, json: JSON.stringify({ secret }) } })
    })
    const { executor, lines } = createWith([failing])
    const reply = await executor.execute(operator, '/hide "p4ss\\"wörd\\\\x" 1')
    expect(reply).toEqual({
      ok: false,
      text: 'internal error (request request-7)',
      data: { code: 'failed', requestId: 'request-7' },
    })
    expect(lines).toMatchObject([
      { command: 'hide', requestId: 'request-7', cause: expect.stringContaining('cannot hash [secret]') },
    ])
    expect(JSON.stringify(lines)).not.toMatch(/p4ss|wörd/)
  })

  it('logs the cause when a service is unavailable', async () => {
    const unavailable = createEcho(() => {
      throw new AppError('unavailable', 'service-unavailable', 'Try again.', { cause: new Error('ECONNREFUSED') })
    })
    const { executor, lines } = createWith([unavailable])
    expect(await executor.execute(operator, '/echo a')).toMatchObject({ ok: false, text: 'Try again.' })
    expect(lines).toMatchObject([{ cause: expect.stringContaining('ECONNREFUSED') }])
  })
})

describe('usageOf', () => {
  it('builds the usage from the declaration, one form after the other', () => {
    expect(usageOf(echo)).toBe('/echo <word> [count] [items] [rest]')
    const forms = [[{ name: 'x', kind: 'number' }], [{ name: 'player', kind: 'player' }]] as const
    expect(usageOf({ name: 'tp', forms })).toBe('/tp <x> or /tp <player>')
  })
})
