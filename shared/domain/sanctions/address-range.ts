import { isIP, SocketAddress } from 'node:net'
import { AppError } from '../../kernel/errors.ts'

/** Addresses that share the first `length` of 128 bits. An IPv4 address is stored as its mapped IPv6 address, `::ffff:0:0/96`. */
export type AddressRange = {
  /** The first address. */
  readonly bits: bigint
  readonly length: number
}

const bitsOfAddress = 128
/** The number and value of the bits before a mapped IPv4 address. */
const mappedBits = 96
const mappedPrefix = 0xffffn
/** The widest range of one sanction: /16 of IPv4, /32 of IPv6. */
const shortest = { ipv4: 16, ipv6: 32 }

const readIpv4 = (text: string): bigint => text.split('.').reduce((bits, part) => bits * 256n + BigInt(part), 0n)

const readGroups = (text: string): readonly bigint[] =>
  text === ''
    ? []
    : text.split(':').flatMap((group) => {
        if (!group.includes('.')) return [BigInt(`0x${group}`)]
        const bits = readIpv4(group)
        return [bits >> 16n, bits & 0xffffn]
      })

const readIpv6 = (text: string): bigint => {
  const [head = '', tail] = text.split('::')
  const [before, after] = [readGroups(head), readGroups(tail ?? '')]
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => 0n)
  return [...before, ...zeros, ...after].reduce((bits, group) => bits * 65_536n + group, 0n)
}

/** The bits of an address without its zone index; undefined for text that is not an address. */
export const readAddressBits = (text: string): bigint | undefined => {
  const bare = text.replace(/%.*$/, '')
  const family = isIP(bare)
  if (family === 4) return (mappedPrefix << 32n) | readIpv4(bare)
  return family === 6 ? readIpv6(bare) : undefined
}

/** The common bits of all addresses in a range of that length, used as its key. */
export const prefixOf = (bits: bigint, length: number): bigint => bits >> BigInt(bitsOfAddress - length)

const isIpv4 = ({ bits, length }: AddressRange): boolean => length >= mappedBits && prefixOf(bits, mappedBits) === mappedPrefix

/** Whether the range contains all of IPv4, as `::/0` does. */
const holdsIpv4 = ({ bits, length }: AddressRange): boolean =>
  length < mappedBits && prefixOf(bits, length) === prefixOf(mappedPrefix << 32n, length)

const cidr = /^([0-9A-Fa-f:.]+)(?:\/(\d{1,3}))?$/

/** The prefix length of one client in IPv6. */
const blockBits = 64

/**
 * Parses an address or a CIDR, and sets the bits below its length to zero; undefined for any other text. A single IPv6 address stands
 * for its /64, as in limits. In `::/64`, which holds the loopback and all of IPv4, it stands for itself.
 */
export const findAddressRange = (text: string): AddressRange | undefined => {
  const [, address = '', written] = cidr.exec(text.trim()) ?? []
  const all = readAddressBits(address)
  if (all === undefined) return undefined
  const asIpv4 = isIP(address) === 4
  const length = written === undefined ? bitsOfAddress : Number(written) + (asIpv4 ? mappedBits : 0)
  if (length > bitsOfAddress) return undefined
  const isOneIpv6 = length === bitsOfAddress && prefixOf(all, blockBits) !== 0n
  const prefixLength = isOneIpv6 ? blockBits : length
  return { bits: prefixOf(all, prefixLength) << BigInt(bitsOfAddress - prefixLength), length: prefixLength }
}

const isTooWide = (range: AddressRange): boolean =>
  isIpv4(range) ? range.length < mappedBits + shortest.ipv4 : range.length < shortest.ipv6 || holdsIpv4(range)

/**
 * As `findAddressRange`. Throws AppError with the pointer `/address`: `invalid` for other text, `unprocessable` for ranges wider than
 * /16 of IPv4 or /32 of IPv6.
 */
export const parseAddressRange = (text: string): AddressRange => {
  const range = findAddressRange(text)
  const fault = (message: string) => ({ errors: [{ pointer: '/address', message }] })
  if (range === undefined)
    throw new AppError(
      'invalid',
      'bad-request',
      'The address is not valid.',
      fault('must be an IP address, or a CIDR such as 192.0.2.0/24'),
    )
  if (isTooWide(range))
    throw new AppError(
      'unprocessable',
      'rule-broken',
      'The address range is too wide for one sanction.',
      fault(`must be at most as wide as /${shortest.ipv4} for IPv4 or /${shortest.ipv6} for IPv6`),
    )
  return range
}

const formatBits = (bits: bigint): string =>
  Array.from({ length: 8 }, (_, index) => ((bits >> BigInt(112 - 16 * index)) & 0xffffn).toString(16)).join(':')

/** The canonical form of a range: `192.0.2.7`, `192.0.2.0/24`, `2001:db8::/64`. */
export const formatAddressRange = (range: AddressRange): string => {
  const { bits, length } = range
  const bytes = [24n, 16n, 8n, 0n].map((shift) => (bits >> shift) & 0xffn)
  // Node writes addresses in the form of RFC 5952.
  const address = isIpv4(range) ? bytes.join('.') : new SocketAddress({ address: formatBits(bits), family: 'ipv6' }).address
  if (length === bitsOfAddress) return address
  return `${address}/${isIpv4(range) ? length - mappedBits : length}`
}
