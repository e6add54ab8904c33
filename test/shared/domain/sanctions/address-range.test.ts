import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import {
  findAddressRange,
  formatAddressRange,
  parseAddressRange,
  readAddressBits,
} from '../../../../shared/domain/sanctions/address-range.ts'

const spelled = (text: string): string | undefined => {
  const range = findAddressRange(text)
  return range && formatAddressRange(range)
}

describe('an address or a CIDR range', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['192.0.2.7/24', '192.0.2.0/24'],
    ['192.0.2.7/32', '192.0.2.7'],
    [' 10.1.0.0/16 ', '10.1.0.0/16'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::FFFF:c000:207', '192.0.2.7'],
    ['::ffff:192.0.2.0/120', '192.0.2.0/24'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::/64'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2:3:4:5:6/128', '2001:db8:1:2::/64'],
    ['2001:db8:1:2:3:4:5:6/112', '2001:db8:1:2:3:4:5:0/112'],
    ['2001:db8:1:2:3:4:5:6/64', '2001:db8:1:2::/64'],
    ['::1', '::1'],
  ])('reads %s as %s', (text, expected) => {
    expect(spelled(text)).toBe(expected)
  })

  it.each([
    '',
    'bob',
    'bob@example.com',
    '1.2.3',
    '1.2.3.4.5',
    '256.0.0.1',
    '1.2.3.4/33',
    '::/129',
    '1.2.3.4/',
    '1.2.3.4/-1',
    '::1%eth0/64',
    '1.2.3.4/1e1',
  ])('does not accept "%s"', (text) => {
    expect(findAddressRange(text)).toBeUndefined()
    expect(() => parseAddressRange(text)).toThrow(expect.objectContaining({ kind: 'invalid' }))
  })

  it.each(['0.0.0.0/0', '10.0.0.0/15', '::/0', '::/32', '::/80', '2001::/31', '::ffff:0:0/96', '::ffff:0:0/97', '::fffe:0:0/95'])(
    'is refused when it is too wide: %s',
    (text) => {
      expect(() => parseAddressRange(text)).toThrow(expect.objectContaining({ kind: 'unprocessable', slug: 'rule-broken' }))
    },
  )

  it.each(['10.0.0.0/16', '2001:db8::/32', '::ffff:10.0.0.0/112'])('is accepted at its widest: %s', (text) => {
    expect(parseAddressRange(text)).toBeDefined()
  })

  it('has one spelling for any address', () => {
    const address = fc.oneof(fc.ipV4(), fc.ipV6())
    fc.assert(
      fc.property(address, fc.integer({ min: 0, max: 128 }), (text, length) => {
        const once = spelled(`${text}/${length}`) ?? spelled(text)
        expect(once).toBeDefined()
        expect(spelled(once ?? '')).toBe(once)
        expect(readAddressBits(text)).toBeDefined()
      }),
    )
  })
})
