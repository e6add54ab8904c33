import { describe, expect, it } from '@jest/globals'
import { configNames } from '../../../../../shared/domain/configs/catalogue.ts'
import { createFindUnsafe } from '../../../../../shared/domain/configs/server/startup-checks.ts'
import { AppError } from '../../../../../shared/kernel/errors.ts'
import {
  brokenGroups,
  countReads,
  createConfigProcesses,
  firstGroup,
  groupNamed,
} from '../../../../support/configs/config-processes.ts'

describe('loadConfigs at start', () => {
  it('activates every config, with defaults filled in', async () => {
    const configs = await createConfigProcesses({ 'groups.yaml': groupNamed('a') }).start()
    expect(firstGroup(configs)).toBe('a')
    expect(configs.get('server.yaml').realtime.tickRate).toBe(20)
    expect(configs.warnings()).toEqual([])
  })

  it('refuses to start with broken files, and names each fault with its place', async () => {
    const { start } = createConfigProcesses({ 'groups.yaml': brokenGroups, 'server.yaml': 'realtime: {tickRate: 0}\nhttp: [' })
    const refusal = await start().catch((error: unknown) => error)
    expect(refusal).toMatchObject({ kind: 'invalid', slug: 'invalid-config' })
    expect(refusal).toMatchObject({
      publicDetail: expect.stringContaining('groups.yaml:2:33: /groups/0/extra: is not a known key'),
    })
    expect(refusal).toMatchObject({ publicDetail: expect.stringMatching(/server\.yaml:2:8: /) })
  })

  it('requests all files at once, so that a start costs one round trip', async () => {
    const { files, start } = createConfigProcesses({ 'groups.yaml': groupNamed('a') })
    const { read } = files
    let pendingReads = 0
    let goOn = () => {}
    const allAsked = new Promise<void>((resolve) => {
      goOn = resolve
    })
    files.read = async (name) => {
      pendingReads += 1
      if (pendingReads === configNames.length) goOn()
      await allAsked
      return read(name)
    }
    expect(firstGroup(await start())).toBe('a')
    expect(pendingReads).toBe(configNames.length)
  })

  it('starts with an unknown permission in groups.yaml, and warns with its line until the fix', async () => {
    const text = 'groups:\n  - name: a\n    permissions: [world.build, zone.buld, module.shop.sell]\n'
    const { files, start, lines } = createConfigProcesses({ 'groups.yaml': text })
    const configs = await start()
    expect(configs.get('groups.yaml').groups).toHaveLength(1)
    expect(configs.warnings()).toEqual([
      'groups.yaml has an unknown permission at line 3, column 32, which has no effect. The log has its name.',
    ])
    expect(JSON.stringify(lines)).toContain('Unknown permission `zone.buld`. Did you mean `zone.build`?')
    files.texts['groups.yaml'] = text.replace('buld', 'build')
    expect((await configs.reload()).failed).toEqual([])
    expect(configs.warnings()).toEqual([])
    files.texts['groups.yaml'] = text
    expect((await configs.reload()).reloaded).toContain('groups.yaml')
    expect(configs.warnings()).toHaveLength(1)
  })

  it('refuses to start when a file cannot be read', async () => {
    const { start } = createConfigProcesses({
      'groups.yaml': new AppError('unavailable', 'service-unavailable', 'groups.yaml cannot be read.'),
    })
    await expect(start()).rejects.toMatchObject({ publicDetail: expect.stringContaining('groups.yaml cannot be read') })
  })
})

describe('reload', () => {
  it('applies new groups before it answers, and notifies the listeners', async () => {
    const { files, start } = createConfigProcesses({ 'groups.yaml': groupNamed('a') })
    const configs = await start()
    const notified: unknown[] = []
    const leave = configs.onReload((names) => notified.push([names, firstGroup(configs)]))
    files.texts['groups.yaml'] = groupNamed('b')
    expect(await configs.reload(['groups.yaml'])).toEqual({
      reloaded: ['groups.yaml'],
      changed: ['groups.yaml'],
      restartNeeded: [],
      failed: [],
    })
    expect(notified).toEqual([[['groups.yaml'], 'b']])
    leave()
    await configs.reload()
    expect(notified).toHaveLength(1)
  })

  it('names every active file, and separately those that changed', async () => {
    const { files, start } = createConfigProcesses({ 'groups.yaml': groupNamed('a') })
    const configs = await start()
    const { reloaded, ...rest } = await configs.reload()
    expect([...reloaded].sort()).toEqual(configNames)
    expect(rest).toEqual({ changed: [], restartNeeded: [], failed: [] })
    files.texts['groups.yaml'] = groupNamed('b')
    expect(await configs.reload()).toMatchObject({ changed: ['groups.yaml'] })
    files.texts['groups.yaml'] = `# only a comment\n${groupNamed('b')}`
    expect(await configs.reload()).toMatchObject({ changed: [] })
  })

  it('reports each time which keys need a restart, and applies the rest of the file', async () => {
    const { files, start } = createConfigProcesses()
    const configs = await start()
    const realtime = () => configs.get('server.yaml').realtime
    files.texts['server.yaml'] = 'realtime: {tickRate: 30}'
    for (const _ of [1, 2])
      expect(await configs.reload(['server.yaml'])).toEqual({
        reloaded: [],
        changed: [],
        restartNeeded: ['server.yaml'],
        failed: [],
      })
    expect(realtime().tickRate).toBe(20)
    files.texts['server.yaml'] = 'realtime: {tickRate: 30, viewRadius: 4}'
    expect(await configs.reload()).toMatchObject({
      reloaded: expect.arrayContaining(['server.yaml']),
      changed: ['server.yaml'],
      restartNeeded: ['server.yaml'],
    })
    expect(realtime()).toMatchObject({ tickRate: 20, viewRadius: 4 })
    files.texts['server.yaml'] = '# the rate as it was\nrealtime: {tickRate: 20, viewRadius: 4}'
    expect(await configs.reload()).toMatchObject({ reloaded: expect.arrayContaining(['server.yaml']), restartNeeded: [] })
  })

  it('applies nothing of a file that needs a restart, and warns until the restart or a revert', async () => {
    const { files, start } = createConfigProcesses()
    const configs = await start()
    const before = configs.get('worldgen.yaml')
    files.texts['worldgen.yaml'] = 'seaLevel: 70'
    expect(await configs.reload(['worldgen.yaml'])).toEqual({
      reloaded: [],
      changed: [],
      restartNeeded: ['worldgen.yaml'],
      failed: [],
    })
    expect(configs.get('worldgen.yaml')).toEqual(before)
    await configs.reload(['groups.yaml'])
    expect(configs.warnings()).toEqual(['worldgen.yaml has changes that need a restart. Restart the server to apply them.'])
    files.texts['worldgen.yaml'] = ''
    await configs.reload(['worldgen.yaml'])
    expect(configs.warnings()).toEqual([])
  })

  it('refuses unsafe settings for this listener, and names the fix', async () => {
    const { files, start } = createConfigProcesses({ 'server.yaml': 'auth: {local: {requirePassword: true}}' })
    const configs = await start({
      findUnsafe: createFindUnsafe({
        role: 'all',
        host: '0.0.0.0',
        baseUrl: 'http://0.0.0.0:3000',
        allowPasswordless: false,
        readSecret: () => undefined,
      }),
    })
    files.texts['server.yaml'] = 'auth: {local: {requirePassword: false}}'
    expect(await configs.reload()).toMatchObject({
      failed: [{ name: 'server.yaml', errors: [{ message: expect.stringContaining('set auth.local.requirePassword to true') }] }],
    })
    expect(configs.get('server.yaml').auth.local.requirePassword).toBe(true)
    expect(configs.warnings()).toEqual(['server.yaml is broken; the last good version stays active'])
  })

  it('keeps the last valid version of a broken file, reports and logs it, and warns until a fix', async () => {
    const { files, start, lines } = createConfigProcesses({ 'groups.yaml': groupNamed('a') })
    const configs = await start()
    files.texts['groups.yaml'] = brokenGroups
    expect(await configs.reload()).toEqual({
      reloaded: expect.not.arrayContaining(['groups.yaml']),
      changed: [],
      restartNeeded: [],
      failed: [
        { name: 'groups.yaml', errors: [{ line: 2, column: 33, pointer: '/groups/0/extra', message: 'is not a known key' }] },
      ],
    })
    expect(firstGroup(configs)).toBe('a')
    expect(lines).toContainEqual(
      expect.objectContaining({ config: 'groups.yaml', errors: [expect.objectContaining({ pointer: '/groups/0/extra' })] }),
    )
    expect(configs.warnings()).toEqual(['groups.yaml is broken at line 2, column 33; the last good version stays active'])
    await configs.reload(['server.yaml'])
    expect(configs.warnings()).toHaveLength(1)
    files.texts['groups.yaml'] = new AppError('unavailable', 'service-unavailable', 'groups.yaml cannot be read.')
    expect(await configs.reload()).toMatchObject({ failed: [{ errors: [{ message: 'groups.yaml cannot be read.' }] }] })
    expect(configs.warnings()).toEqual(['groups.yaml is broken; the last good version stays active'])
    files.texts['groups.yaml'] = groupNamed('c')
    await configs.reload()
    expect(configs.warnings()).toEqual([])
    expect(firstGroup(configs)).toBe('c')
  })

  it('keeps the last valid version of a file with a dangling reference, and names it', async () => {
    const attack = (id: string) =>
      `attacks: {${id}: {damageType: slashing, enabled: true, ranks: {"1": {power: 1, cooldownMs: 0, cost: 0, dice: 1d4}}}}`
    const classes = (id: string) =>
      `classes: {hero: {resource: MANA, bonuses: {str: 0, dex: 0, int: 0, wis: 0, con: 0, cha: 0}, hpFormula: "1", manaFormula: "1", levels: {"1": {attacks: [{attack: ${id}, rank: 1}], spells: []}}}}`
    const { files, start } = createConfigProcesses({ 'skills/attacks.yaml': attack('cut'), 'classes.yaml': classes('cut') })
    const configs = await start()
    const granted = () => configs.get('classes.yaml').classes.hero?.levels['1']?.attacks
    files.texts['skills/attacks.yaml'] = attack('stab')
    expect(await configs.reload(['skills/attacks.yaml'])).toMatchObject({
      reloaded: ['skills/attacks.yaml'],
      failed: [{ name: 'classes.yaml', errors: [{ pointer: '/classes/hero/levels/1/attacks/0/attack' }] }],
    })
    expect(Object.keys(configs.get('skills/attacks.yaml').attacks)).toEqual(['stab'])
    expect(granted()).toMatchObject([{ attack: 'cut' }])
    expect(configs.warnings()).toEqual([expect.stringContaining('classes.yaml is broken')])
    files.texts['classes.yaml'] = classes('stab')
    expect(await configs.reload(['skills/attacks.yaml'])).toMatchObject({
      reloaded: ['skills/attacks.yaml', 'classes.yaml'],
      failed: [],
    })
    expect(granted()).toMatchObject([{ attack: 'stab' }])
    expect(configs.warnings()).toEqual([])
  })

  it('reads a broken file again when a file it refers to changes', async () => {
    const attack = (id: string) =>
      `attacks: {${id}: {damageType: slashing, enabled: true, ranks: {"1": {power: 1, cooldownMs: 0, cost: 0, dice: 1d4}}}}`
    const { files, start } = createConfigProcesses({ 'skills/attacks.yaml': attack('cut'), 'classes.yaml': '' })
    const configs = await start()
    files.texts['classes.yaml'] =
      'classes: {hero: {resource: MANA, bonuses: {str: 0, dex: 0, int: 0, wis: 0, con: 0, cha: 0}, hpFormula: "1", manaFormula: "1", levels: {"1": {attacks: [{attack: stab, rank: 1}], spells: []}}}}'
    expect(await configs.reload(['classes.yaml'])).toMatchObject({ reloaded: [], failed: [{ name: 'classes.yaml' }] })
    files.texts['skills/attacks.yaml'] = attack('stab')
    expect(await configs.reload(['skills/attacks.yaml'])).toMatchObject({
      reloaded: ['skills/attacks.yaml', 'classes.yaml'],
      failed: [],
    })
    expect(Object.keys(configs.get('classes.yaml').classes)).toEqual(['hero'])
    expect(configs.warnings()).toEqual([])
  })

  it('reads only the requested files', async () => {
    const { files, start } = createConfigProcesses()
    const configs = await start()
    const counter = countReads(files)
    expect(await configs.reload(['groups.yaml', 'groups.yaml'])).toMatchObject({ reloaded: ['groups.yaml'] })
    expect(counter.reads).toBe(1)
  })

  it('continues when a listener throws', async () => {
    const { start, lines } = createConfigProcesses()
    const configs = await start()
    let notifications = 0
    configs.onReload(() => {
      throw new Error('no')
    })
    configs.onReload(() => {
      notifications += 1
    })
    await configs.reload()
    expect(notifications).toBe(1)
    expect(lines).toContainEqual(expect.objectContaining({ msg: 'a listener for reloaded configs failed' }))
  })
})
