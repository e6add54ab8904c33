import { describe, expect, it } from '@jest/globals'
import { createUsersBytes } from '../../../../../shared/accounts/store/users-file/users-file.ts'

const textOf = ({ view }: { readonly view: Buffer }) => view.toString('utf8')

describe('the bytes of a users file', () => {
  it('stay what they are when others grow from them, one after another and side by side', () => {
    const first = createUsersBytes(Buffer.from('users:\n'))
    const second = first.append('ä\n')
    const third = second.append('b\n')
    const other = second.append('ccc\n')
    const late = first.append('dd\n')
    const grown = third.append('e\n')
    expect([first, second, third, other, late, grown].map(textOf)).toEqual([
      'users:\n',
      'users:\nä\n',
      'users:\nä\nb\n',
      'users:\nä\nccc\n',
      'users:\ndd\n',
      'users:\nä\nb\ne\n',
    ])
  })

  it('are copied ever more seldom', () => {
    let bytes = createUsersBytes(Buffer.alloc(0))
    const memories = new Set<ArrayBufferLike>()
    for (let at = 0; at < 10_000; at += 1) {
      bytes = bytes.append('0123456789')
      memories.add(bytes.view.buffer)
    }
    expect(bytes.view.toString()).toBe('0123456789'.repeat(10_000))
    expect(memories.size).toBeLessThan(20)
  })
})
