import { expect, it } from '@jest/globals'
import { words } from '../../play/words.ts'

const { describeEnd } = words

it('says of a ban until when it is, and why', () => {
  const kick = { code: 'banned', reason: 'griefing', until: '2999-01-01T00:00:00Z' }
  expect(describeEnd({ reason: 'banned', text: 'You were kicked.' }, kick)).toEqual({
    title: expect.stringMatching(/^You are banned until .*\d/),
    text: 'griefing',
  })
})

it('says who sent a player out in the words of whoever did it', () => {
  const kick = { code: 'kicked', reason: 'time for supper' }
  expect(describeEnd({ reason: 'kicked', text: 'You were kicked. (time for supper)' }, kick)).toEqual({
    title: 'You were sent out',
    text: 'time for supper',
  })
})

it('passes over a Kick of another reason than that of the end', () => {
  const end = { reason: 'invalid-credentials', text: 'Wrong password.' }
  for (const code of ['going-away', 'banned'])
    expect(describeEnd(end, { code, reason: 'Something else.' })).toEqual({ title: words.ended.title, text: 'Wrong password.' })
})
