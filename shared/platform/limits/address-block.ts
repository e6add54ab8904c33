import { isIPv6, SocketAddress } from 'node:net'

const mappedIpv4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/

/** The first four of an IPv6 address's eight groups, without leading zeros. */
const prefixOf = (address: string): string => {
  const [head = '', tail] = address.split('::')
  const before = head === '' ? [] : head.split(':')
  // A tail such as `::192.0.2.1` has two groups.
  const after = tail ? tail.split(':').flatMap((group) => (group.includes('.') ? ['', group] : [group])) : []
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0')
  return [...before, ...zeros, ...after].slice(0, 4).join(':')
}

/**
 * The address block by which a client is counted. An IPv4 address counts whole, also in IPv6 form. Other IPv6 addresses count by their
 * /64, the smallest block that a client gets. Other text is unchanged.
 */
export const addressBlockOf = (address: string): string => {
  const bare = address.replace(/%.*$/, '')
  if (!isIPv6(bare)) return address
  // Node writes addresses in the form of RFC 5952.
  const spelled = new SocketAddress({ address: bare, family: 'ipv6' }).address
  return mappedIpv4.exec(spelled)?.[1] ?? `${prefixOf(spelled)}::/64`
}
