import { describe, expect, it } from '@jest/globals'
import { compileRules } from '../../../../shared/domain/permissions/compile-rules.ts'
import { decidePermission, describeDecision } from '../../../../shared/domain/permissions/decide-permission.ts'
import { defineGroups } from '../../../support/accounts/groups.ts'

const groups = defineGroups({
  player: ['world.*'],
  builder: { permissions: ['zone.build'], inherits: ['player'] },
  moderator: { permissions: ['admin.*', '-command.tp'], inherits: ['builder'] },
  head: { inherits: ['moderator'] },
})

describe('describeDecision', () => {
  it.each([
    [['player'], 'world.build', '"world.build" is granted by the rule "world.*" of group "player".'],
    [['builder'], 'world.build', '"world.build" is granted by the rule "world.*" of group "player", inherited by "builder".'],
    [
      ['head'],
      'world.build',
      '"world.build" is granted by the rule "world.*" of group "player", inherited by "head" through "moderator", then "builder".',
    ],
    [['admin'], 'world.build', '"world.build" is granted by the rule "*" of built-in group "admin".'],
    [['admin', 'moderator'], 'command.tp', '"command.tp" is taken away by the rule "-command.tp" of group "moderator".'],
    [['player'], 'command.tp', '"command.tp" is not granted: no rule of the groups mentions it.'],
    [
      ['moderator'],
      'admin.users.read',
      '"admin.users.read" is granted by the rule "admin.*" of group "moderator", but needs a verified sign-in: one by password, or by an identity provider.',
    ],
  ])('describes for %j the decision on %s in one sentence', (names, asked, sentence) => {
    const decision = decidePermission(compileRules(groups, names), asked, { verified: false, privileged: false })
    expect(describeDecision(decision, asked)).toBe(sentence)
  })
})
