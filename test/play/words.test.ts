import { readFileSync } from 'node:fs'
import { expect, it } from '@jest/globals'
import { words } from '../../play/words.ts'
import { NotGatehouseError, ProblemError, SessionEndedError, UnreachableError } from '../../sdk/client.ts'

const { describeEnd } = words

it('describes a ban with its end and its reason', () => {
  const kick = { code: 'banned', reason: 'griefing', until: '2999-01-01T00:00:00Z' }
  expect(describeEnd({ reason: 'banned', text: 'You were kicked.' }, kick)).toEqual({
    title: expect.stringMatching(/^You are banned until .*\d/),
    text: 'griefing',
  })
})

it('describes a kick in the words of the moderator', () => {
  const kick = { code: 'kicked', reason: 'time for supper' }
  expect(describeEnd({ reason: 'kicked', text: 'You were kicked. (time for supper)' }, kick)).toEqual({
    title: 'You were kicked',
    text: 'time for supper',
  })
})

it('ignores a Kick with another reason than the end', () => {
  const end = { reason: 'invalid-credentials', text: 'Wrong password.' }
  for (const code of ['going-away', 'banned'])
    expect(describeEnd(end, { code, reason: 'Something else.' })).toEqual({ title: words.ended.title, text: 'Wrong password.' })
})

it('tells players what to do, without advice for programmers', () => {
  const kick = { code: 'protocol-version', reason: 'This server speaks protocol version 2.' }
  const end = {
    reason: 'protocol-version',
    text: 'The server speaks another version: use the gatehouse-client that belongs to it.',
  }
  expect(describeEnd(end, kick).text).toBe('Reload this page to keep playing.')
  const away = new UnreachableError('network', "No server answers: is this page's origin in its http.allowedOrigins?")
  expect(words.describe(away)).toMatch(/^The server does not answer\. Check your connection/)
  expect(words.describe(new SessionEndedError(end.reason, end.text))).toMatch(/Reload this page/)
  expect(words.describe(new NotGatehouseError('502. Is the address right?'))).not.toMatch(/address/)
})

it('uses the text of the server or the library for all other ends', () => {
  const problem = { type: '/problems/invalid-credentials', title: 'Wrong email or password', status: 401 }
  expect(words.describe(new ProblemError(problem))).toBe('Wrong email or password.')
  expect(words.describe(new Error(''))).toBe('Something went wrong.')
  expect(words.describe('whatever')).toBe('Something went wrong.')
})

it.each([
  ['missing-permission', 'zone.build in zone "Harbour"', '\u2068Harbour\u2069 is protected. Only its builders can change it.'],
  ['zone-rules', 'members build in zone "The "Inn""', '\u2068The "Inn"\u2069 is protected. Only its members can change it.'],
  ['zone-rules', 'nobody builds in zone "Spawn"', '\u2068Spawn\u2069 is protected. No one can change it.'],
  ['missing-permission', 'world.build', 'You are not allowed to build here. Ask an admin.'],
  ['out-of-reach', '', 'That is out of reach.'],
  ['module-rules', 'Not here: spawn.', 'Not here: spawn.'],
  ['module-failed', 'guard: 12ab34cd', 'A rule of this server failed. Tell an admin.'],
  ['from-a-newer-server', '', 'The server rejected this change.'],
])('describes a refused edit (%s: %s) as "%s", without the name of a permission', (reason, detail, text) => {
  expect(words.refused({ reason, detail })).toBe(text)
})

it('describes every reason of EditResult by a sentence of its own', () => {
  const protocol = readFileSync('realtime/protocol/gatehouse.proto', 'utf8')
  const [, result = ''] = /^message EditResult \{(.*?)^\}/ms.exec(protocol) ?? []
  const reasons = [...result.matchAll(/^ {2}\/\/ - ([a-z, -]+):/gm)].flatMap(([, names = '']) => names.split(', '))
  expect(reasons).toEqual(expect.arrayContaining(['missing-permission', 'zone-rules', 'unavailable', 'lease-lost']))
  const texts = reasons.map((reason) => words.refused({ reason, detail: '' }))
  for (const text of texts) expect(text).toMatch(/^[A-Z][a-z' ]+\.( [A-Z][a-z ]+\.)?$/)
  expect(new Set(texts).size).toBe(reasons.length)
})
