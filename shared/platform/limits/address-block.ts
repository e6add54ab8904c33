import { isIPv6, SocketAddress } from 'node:net'

const mappedIpv4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/

/** The first four of an IPv6 address's eight groups, without leading zeros. */
const prefixOf = (address: string): string => {
  const [head = '', tail] = address.split('::')
  const before = head === '' ? [] : head.split(':')
  // A tail of `::192.0.2.1` stands for two groups.
  const after = tail ? tail.split(':').flatMap((group) => (group.includes('.') ? ['', group] : [group])) : []
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0')
  return [...before, ...zeros, ...after].slice(0, 4).join(':')
}

/**
 * What stands for the client at `address`. An IPv4 address counts whole, also in IPv6 form. Any other IPv6 address counts by its /64, the least that one client is given. Other text stays as it is.
 */
export const addressBlockOf = (address: string): string => {
  const bare = address.replace(/%.*$/, '')
  if (!isIPv6(bare)) return address
  // Node spells the address in one way, RFC 5952's.
  const spelled = new SocketAddress({ address: bare, family: 'ipv6' }).address
  return mappedIpv4.exec(spelled)?.[1] ?? `${prefixOf(spelled)}::/64`
}
