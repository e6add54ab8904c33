import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { addressBlockOf } from '../../../../shared/platform/limits/address-block.ts'

describe('the rate-limit block of an address', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:c000:0201', '192.0.2.1'],
    ['0:0:0:0:0:ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:0001:0002::', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::ffff:1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8::2:0:0:1', '2001:db8:0:0::/64'],
    ['2001:db8::1:0:0:0:1', '2001:db8:0:1::/64'],
    ['2001:db8:0:1::', '2001:db8:0:1::/64'],
    ['1::2:3:4:5:6:7', '1:0:2:3::/64'],
    ['::1:2:3:4:5:6:7', '0:1:2:3::/64'],
    ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::ffff:192.0.2.1%1', '192.0.2.1'],
    ['::1', '0:0:0:0::/64'],
    ['::192.0.2.1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['', ''],
    ['no address', 'no address'],
  ])('of %j is %j', (address, block) => {
    expect(addressBlockOf(address)).toBe(block)
  })

  it('is the same for all addresses of a /64 and differs for any other', () => {
    const group = fc.nat(0xffff)
    const four = fc.tuple(group, group, group, group)
    const write = (groups: readonly number[]) => groups.map((value) => value.toString(16)).join(':')
    fc.assert(
      fc.property(four, four, four, four, (prefix, one, two, other) => {
        fc.pre(write(prefix) !== '0:0:0:0' && write(other) !== '0:0:0:0')
        const block = addressBlockOf(write([...prefix, ...one]))
        expect(block).toBe(`${write(prefix)}::/64`)
        expect(addressBlockOf(write([...prefix, ...two]))).toBe(block)
        expect(addressBlockOf(write([...other, ...one])) === block).toBe(write(other) === write(prefix))
      }),
    )
  })

  it('accepts every spelling of an address', () => {
    fc.assert(fc.property(fc.ipV6(), (address) => expect(addressBlockOf(address)).toMatch(/^[\da-f:]+::\/64$|^[\d.]+$/)))
  })
})
