import { describe, expect, it } from '@jest/globals'
import { createCommandList } from '../../../realtime/commands/command-list.ts'
import { commands } from '../../../realtime/commands/commands.ts'
import { createCommandExecutor } from '../../../realtime/commands/executor/executor.ts'
import { createStoreAuditLog } from '../../../shared/domain/audit/store-audit-log.ts'
import { replaceDisabledBySelf } from '../../../shared/domain/players/disabled-commands.ts'
import { playerStates, readDisabledCommands } from '../../../shared/domain/players/player-state.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import { createOperatorCaller } from '../../support/realtime/operator-caller.ts'
import { createCommandFixture } from './command-fixture.ts'

const createScene = async () => {
  const fixture = createCommandFixture()
  const mod = await fixture.addAccount('mod@example.org', { groups: ['moderator'], displayName: 'Mo' })
  const ann = await fixture.addAccount('ann@example.org', { displayName: 'Ann' })
  const root = await fixture.addAccount('root@example.org', { groups: ['admin'], password: 'correct horse' })
  const stateOf = async ({ playerId }: { readonly playerId: string }) => (await fixture.store.get(playerStates, playerId))?.value
  const audit = createStoreAuditLog(fixture.store)
  const listSwitches = async () => (await audit.listEntries({ limit: 10 })).entries
  return { ...fixture, mod, ann, root, stateOf, listSwitches }
}

describe('/command:disable and /command:enable', () => {
  it('switch one of the caller’s commands in the store and the session, without an audit entry', async () => {
    const { run, ann, stateOf, done, listSwitches } = await createScene()
    expect(await run(ann, '/command:disable /WHO')).toEqual({
      ok: true,
      text: '/who is off for you.',
      data: { disabled: ['who'] },
    })
    expect(await stateOf(ann)).toEqual({ disabledBySelf: ['who'], disabledByOthers: [] })
    expect(await run(ann, '/who')).toMatchObject({ ok: false, data: { code: 'command-disabled' } })
    expect(await run(ann, `/command:enable who ${ann.email}`)).toMatchObject({ ok: true, text: '/who is on for you.' })
    expect(await run(ann, '/who')).toMatchObject({ ok: true })
    expect(done).toEqual([
      ['disabled', ann.playerId, ['who']],
      ['disabled', ann.playerId, []],
    ])
    expect(await listSwitches()).toEqual([])
  })

  it('switch commands of others, with an audit entry, and the player cannot switch them on again', async () => {
    const { run, mod, ann, stateOf, done, listSwitches } = await createScene()
    await run(ann, '/command:disable say')
    expect(await run(mod, '/command:disable say ann')).toMatchObject({ ok: true, text: '/say is off for Ann.' })
    expect(await stateOf(ann)).toEqual({ disabledBySelf: ['say'], disabledByOthers: ['say'] })
    const [switched] = await listSwitches()
    expect(switched).toMatchObject({
      actor: 'mod@example.org',
      action: 'player.disable-command',
      target: 'ann@example.org',
      before: { disabledByOthers: [] },
      after: { disabledByOthers: ['say'] },
    })
    expect(await run(ann, '/command:enable say')).toMatchObject({ ok: false, data: { code: 'refused' } })
    expect(await run(ann, `/command:enable say ${ann.email}`)).toMatchObject({ ok: false, data: { code: 'refused' } })
    expect(await run(ann, '/say x')).toMatchObject({ data: { code: 'command-disabled' } })
    expect(await run(mod, '/command:enable say ann@example.org')).toMatchObject({ ok: true })
    expect((await listSwitches()).map(({ action }) => action)).toContain('player.enable-command')
    expect(await run(ann, '/say x')).toMatchObject({ ok: true })
    expect(done.at(-1)).toEqual(['say', 'Ann', 'x'])
  })

  it('change nothing of others when the audit log cannot be written', async () => {
    const { callerFor, mod, deps, log, stateOf, ann } = await createScene()
    const commit = async () => {
      throw new AppError('unavailable', 'service-unavailable', 'The record store does not answer.')
    }
    const executor = createCommandExecutor({
      commands: createCommandList(commands),
      deps: { ...deps, store: { ...deps.store, commit } },
      log,
    })
    expect(await executor.execute(await callerFor(mod), '/command:disable say ann')).toMatchObject({
      ok: false,
      data: { code: 'refused', slug: 'service-unavailable' },
    })
    expect(await stateOf(ann)).toBeUndefined()
  })

  it('need a verified command.disable.others before they reveal anything of another player', async () => {
    const { run, mod, ann, stateOf, listSwitches } = await createScene()
    const permission = 'command.disable.others'
    for (const target of ['mod@example.org', 'nobody@example.org'])
      expect(await run(ann, `/command:disable who ${target}`)).toMatchObject({
        ok: false,
        text: 'You do not have access to /command:disable for other players.',
        data: { code: 'missing-permission', permission },
      })
    expect(await run(mod, '/command:disable who ann', false)).toMatchObject({ data: { code: 'password-sign-in-needed' } })
    expect([await stateOf(mod), await stateOf(ann), await listSwitches()]).toEqual([undefined, undefined, []])
  })

  it('refuse to switch off commands of a player with more permissions', async () => {
    const { run, mod, root, stateOf } = await createScene()
    expect(await run(mod, '/command:disable kick root')).toMatchObject({ ok: false, data: { slug: 'beyond-own-permissions' } })
    expect(await stateOf(root)).toBeUndefined()
  })

  it.each([
    ['/command:disable', 'bad-arguments', /<command> is missing/],
    ['/command:disable who ann extra', 'bad-arguments', /too many/],
    ['/command:disable help', 'refused', /cannot be switched off/],
    ['/command:disable command:enable ann', 'refused', /cannot be switched off/],
    ['/command:disable whom', 'refused', /nearest is \/who/],
    ['/command:disable who nobody', 'refused', /no account of that name/],
  ])('refuse %s and change nothing', async (text, code, message) => {
    const { run, mod, ann, store } = await createScene()
    expect(await run(mod, text)).toMatchObject({ ok: false, text: expect.stringMatching(message), data: { code } })
    expect((await store.list(playerStates)).records).toEqual([])
    expect(await run(ann, '/help')).toMatchObject({ ok: true })
  })

  it('lose no change when many run at the same time', async () => {
    const { run, executor, ann, stateOf } = await createScene()
    const names = ['who', 'say', 'tp', 'kick', 'why', 'reload']
    const byOperator = names.map((name) => executor.execute(createOperatorCaller('r'), `/command:disable ${name} ${ann.email}`))
    const replies = await Promise.all([...byOperator, ...names.map((name) => run(ann, `/command:disable ${name}`))])
    expect(replies.every(({ ok }) => ok)).toBe(true)
    expect(await stateOf(ann)).toEqual({ disabledBySelf: names.toSorted(), disabledByOthers: names.toSorted() })
  })
})

describe('replaceDisabledBySelf', () => {
  it('replaces the player’s own switches, keeps those of others, and ignores protected commands', async () => {
    const { run, mod, ann, store } = await createScene()
    await run(ann, '/command:disable tp')
    await run(mod, '/command:disable say ann')
    const disabled = await replaceDisabledBySelf({ store, commands }, ann.playerId, [
      '/WHO',
      'help',
      'no-such',
      'who',
      'command:enable',
    ])
    expect([...disabled].sort()).toEqual(['say', 'who'])
    expect(await readDisabledCommands(store, ann.playerId)).toEqual(disabled)
    expect(await replaceDisabledBySelf({ store, commands }, ann.playerId, [])).toEqual(new Set(['say']))
  })
})
