import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type NodeWithModules, startNodeWithModules } from '../../support/modules/node-with-modules.ts'

let node: NodeWithModules

const modules = {
  hello: `on: { joined: ({ player, isResumed }) => player.tell(\`Hello, \${player.name} (\${isResumed}).\`) }`,
  guard: `decide: {
    edit: ({ player, changes }) => (changes.some(({ to }) => to === 'stone') ? { refuse: 'No stone here.' } : undefined),
    chat: (event) => {
      if (event.text.includes('spam')) return { refuse: 'No spam.' }
      event.text = event.text.replace('bad', '***')
    },
    command: ({ player, name }) => (player.name === 'Mod' && name === 'who' ? { refuse: 'Not now.' } : undefined),
    join: ({ player }) => (player.name === 'Mallory' ? { refuse: 'Not you.' } : undefined),
  }`,
  dice: `declare: { permissions: { 'module.dice.no': 'Refuses.' } }, commands: {
    add: { description: 'Adds two numbers.', forms: [[{ name: 'a', kind: 'number' }, { name: 'b', kind: 'number' }]], permission: 'none',
      run: (caller, { a, b }) => \`\${caller.name}: \${a + b}\` },
    who: { description: 'Who, of dice.', forms: [[]], permission: 'none', run: () => 'dice' },
    no: { description: 'Refuses.', forms: [[]], permission: 'module.dice.no', run: () => ({ refuse: 'Never.' }) },
    wait: { description: 'Answers later.', forms: [[]], permission: 'none',
      run: (caller, args, game) => game.later(async () => 7, (result) => \`later \${result}\`) },
  }`,
}

beforeAll(async () => {
  node = await startNodeWithModules(modules)
})
afterAll(() => node.close())

describe('modules in the game', () => {
  it('runs on.joined with the player', async () => {
    const { client } = await node.join('Ann')
    expect(await client.next('notice')).toMatchObject({ text: 'Hello, Ann (false).', kind: 'module' })
  })

  it('refuses an edit with the name and the reason of the module', async () => {
    const { client } = await node.join('Bob')
    const edit = (type: string, seq: number) =>
      client.send({ $case: 'editBlocks', value: { seq, edits: [{ x: 2, y: 64, z: 2, type }] } })
    edit('stone', 1)
    let result = await client.next('editResult')
    while (result.reason === 'not-loaded') {
      edit('stone', 1)
      result = await client.next('editResult')
    }
    expect(result).toMatchObject({
      seq: 1,
      reason: 'module-rules: guard: No stone here.',
      refusedBy: { module: 'guard', text: 'No stone here.' },
    })
    edit('grass', 2)
    expect(await client.next('editResult')).toMatchObject({ seq: 2, ok: true })
    edit('air', 3)
    expect(await client.next('editResult')).toMatchObject({ seq: 3, ok: true })
  })

  it('explains a refused edit to a moderator, and in /why', async () => {
    const { client } = await node.join('Mod', { groups: ['admin'] })
    let result: Record<string, unknown> = { reason: 'not-loaded' }
    while (result.reason === 'not-loaded') {
      client.send({ $case: 'editBlocks', value: { seq: 1, edits: [{ x: 2, y: 64, z: 2, type: 'stone' }] } })
      result = await client.next('editResult')
    }
    const link = new URL(String(result.explain), 'http://none')
    expect(Object.fromEntries(link.searchParams)).toMatchObject({
      permission: 'world.build',
      x: '2',
      y: '64',
      z: '2',
      type: 'stone',
    })
    const ask = async (question: string) => {
      client.command(`/why Mod ${question}`)
      return client.next('commandResult')
    }
    const refusal = { check: 'module', ok: false, detail: 'guard: No stone here.' }
    expect(await ask('world.build stone 2 64 2')).toMatchObject({
      text: expect.stringMatching(
        /^Mod, in admin, may not use world\.build\. Denied by module guard: No stone here\.\n(.*\n)*- module: guard: No stone here\.$/,
      ),
      data: { allowed: false, checks: expect.arrayContaining([refusal]) },
    })
    expect((await ask('world.build')).data).toMatchObject({
      allowed: true,
      checks: expect.arrayContaining([{ check: 'module', ok: true, detail: 'guard: It allows this.' }]),
    })
    expect(await ask('world.build nonsense 2 64 2')).toMatchObject({ ok: false, text: expect.stringContaining('block type') })
    expect((await ask('who')).data).toMatchObject({
      allowed: false,
      checks: expect.arrayContaining([{ check: 'module', ok: false, detail: 'guard: Not now.' }]),
    })
  })

  it('answers /why for an offline player with a verdict that leaves modules open', async () => {
    await node.addAccount('Offline', ['admin'])
    const { client } = await node.join('Asker', { groups: ['admin'] })
    client.command('/why Offline world.build stone 2 64 2')
    expect(await client.next('commandResult')).toMatchObject({
      text: expect.stringMatching(/^Offline, in admin, may use world\.build, unless a module refuses it\.\n/),
      data: { allowed: true, modulesNotAsked: true },
    })
  })

  it('refuses a chat line, and lets a module change its text', async () => {
    const { client } = await node.join('Cid')
    client.send({ $case: 'chat', value: { text: 'spam spam' } })
    expect(await client.next('error')).toMatchObject({ code: 'module-rules', message: 'No spam.' })
    client.send({ $case: 'chat', value: { text: 'a bad word' } })
    expect(await client.next('chatMessage')).toMatchObject({ text: 'a *** word' })
  })

  it('refuses a join with Kick module-rules and close code 4003', async () => {
    const account = await node.addAccount('Mallory')
    const client = await node.open()
    client.connect(await node.signIn(account))
    expect(await client.next('kick')).toMatchObject({ code: 'module-rules', reason: 'Not you.' })
    expect(await client.closed()).toMatchObject({ code: 4003 })
    expect(client.count('welcome')).toBe(0)
  })

  it('runs commands by their short and full name, and lists the name that works', async () => {
    const { client, welcome } = await node.join('Dan')
    const names = (welcome.commands as { name: string }[]).map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['add', 'dice:who', 'who']))
    expect(names).not.toContain('no')
    client.command('/add 1 2')
    expect(await client.next('commandResult')).toMatchObject({ ok: true, text: 'Dan: 3' })
    client.command('/dice:add 2 2')
    expect(await client.next('commandResult')).toMatchObject({ ok: true, text: 'Dan: 4' })
    client.command('/dice:who')
    expect(await client.next('commandResult')).toMatchObject({ ok: true, text: 'dice' })
    client.command('/no')
    expect(await client.next('commandResult')).toMatchObject({ data: { code: 'missing-permission' } })
    client.command('/wait')
    expect(await client.next('commandResult')).toMatchObject({ ok: true, text: 'later 7' })
    const admin = await node.join('Root', { groups: ['admin'] })
    admin.client.command('/module reload dice')
    expect(await admin.client.next('commandResult')).toMatchObject({
      text: 'Reloaded: dice.\n/who is a command of the server; use /dice:who.',
    })
    admin.client.command('/why Dan no')
    expect(await admin.client.next('commandResult')).toMatchObject({
      ok: true,
      data: { permission: 'module.dice.no', allowed: false },
    })
    client.command('/help add')
    expect(await client.next('commandResult')).toMatchObject({ text: expect.stringContaining('Adds two numbers.') })
  })
})
