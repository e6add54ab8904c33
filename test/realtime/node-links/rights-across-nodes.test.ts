import { expect, it } from '@jest/globals'
import { createOperator } from '../../../realtime/commands/executor/operator.ts'
import type { RealtimeNode } from '../../support/realtime/realtime-node.ts'
import { startTwoNodes } from '../../support/realtime/two-nodes.ts'
import { describeRedis, openRedisForTests } from '../../support/redis/redis.ts'

const groups = [
  { name: 'player', permissions: ['command.who'] },
  { name: 'moderator', permissions: ['command.say'] },
  { name: 'chief', permissions: ['command.*'] },
]

/** The nodes poll only once a minute here, so all changes arrive by events. */
describeRedis('rights of a player, changed on another node of a single Redis', () => {
  let here: RealtimeNode
  let there: RealtimeNode
  startTwoNodes(openRedisForTests, (nodes) => {
    ;({ here, there } = nodes)
    for (const { permissions } of nodes.linked.nodes) permissions.replace({ groups, defaultGroups: ['player'] })
  })

  const operator = createOperator('test')

  it('apply, and reach the client, when groups are added and removed', async () => {
    const { account, client } = await there.join('cid')
    await here.accounts.addGroups(operator, account.email, ['moderator'])
    expect((await client.next('permissionsChanged')).groups).toEqual(['player', 'moderator'])
    client.command('/say I may')
    expect(await client.next('chatMessage')).toMatchObject({ text: 'I may' })
    await here.accounts.removeGroups(operator, account.email, ['moderator'])
    expect((await client.next('permissionsChanged')).groups).toEqual(['player'])
    client.command('/say I may not')
    expect(await client.next('commandResult')).toMatchObject({ ok: false, data: { code: 'missing-permission' } })
  })

  it('end when the account is deleted', async () => {
    const { account, client } = await there.join('cid')
    await here.accounts.removeAccount(operator, account.email)
    expect(await client.next('kick')).toMatchObject({ code: 'account-removed' })
    expect(await client.closed()).toMatchObject({ code: 4003 })
  })

  it('end with the sign-in that opened the session, and not with another one of the account', async () => {
    const { account, token, client } = await there.join('cid')
    const end = async (ended: string): Promise<void> => {
      const { signInId = '' } = (await here.tokens.revoke(ended)) ?? {}
      await here.events.publish('sign-in-ended', { playerId: account.playerId, signInId })
    }
    await end(await here.signIn(account))
    client.send({ $case: 'chat', value: { text: 'still here' } })
    await client.next('chatMessage')
    expect(client.isOpen()).toBe(true)
    await end(token)
    expect(await client.next('kick')).toMatchObject({ code: 'sign-in-ended' })
    expect(await client.closed()).toMatchObject({ code: 4003 })
  })

  it('exclude commands that another player switches off on another node, until switched on', async () => {
    const mo = await here.join('mo', { groups: ['chief'] })
    const cid = await there.join('cid')
    mo.client.command('/command:disable who cid@example.com')
    expect(await mo.client.next('commandResult')).toMatchObject({ ok: true })
    await cid.client.next('permissionsChanged')
    cid.client.command('/who')
    expect(await cid.client.next('commandResult')).toMatchObject({ ok: false, data: { code: 'command-disabled' } })
    mo.client.command('/command:enable who cid@example.com')
    expect(await mo.client.next('commandResult')).toMatchObject({ ok: true })
    await cid.client.next('permissionsChanged')
    cid.client.command('/who')
    expect(await cid.client.next('commandResult')).toMatchObject({ ok: true })
  })
})
