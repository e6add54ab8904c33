import { describe, expect, it } from '@jest/globals'
import { createAddressBans } from '../../../../../shared/domain/sanctions/active/address-bans.ts'

describe('bans by address', () => {
  it('match addresses in their range in any spelling, and no others', () => {
    const bans = createAddressBans<string>()
    bans.add('192.0.2.0/24', 'net')
    bans.add('192.0.2.7', 'one')
    bans.add('2001:db8::/32', 'six')
    expect(bans.findAll('192.0.2.7').toSorted()).toEqual(['net', 'one'])
    expect(bans.findAll('::ffff:192.0.2.8')).toEqual(['net'])
    expect(bans.findAll('2001:db8:ffff::1')).toEqual(['six'])
    expect(['192.0.3.0', '192.0.1.255', '2001:db9::', '::', 'nonsense', ''].flatMap(bans.findAll)).toEqual([])
  })

  it('are removed one by one', () => {
    const bans = createAddressBans<string>()
    bans.add('192.0.2.7', 'one')
    bans.add('192.0.2.7', 'other')
    bans.remove('192.0.2.7', 'one')
    expect(bans.findAll('192.0.2.7')).toEqual(['other'])
    bans.remove('192.0.2.7', 'other')
    expect(bans.findAll('192.0.2.7')).toEqual([])
  })
})
