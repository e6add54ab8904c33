import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { Environment } from '../../platform/process/environment.ts'
import type { NodeFacts } from './presence.ts'

/** Addresses that stand for all addresses of a machine. */
const anyAddress: ReadonlySet<string> = new Set(['0.0.0.0', '::'])

/** The address at which other machines are likely to reach this one; loopback if it has no network. */
const findOwnAddress = (): string => {
  const outward = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, address }) => !internal && !address.startsWith('fe80:'))
  return (outward.find(({ family }) => family === 'IPv4') ?? outward[0])?.address ?? '127.0.0.1'
}

/** The addresses of a node that listens on `port`: from the environment, otherwise its real address. */
export const findNodeAddresses = (
  { host, nodeUrl, nodeInternalUrl }: Pick<Environment, 'host' | 'nodeUrl' | 'nodeInternalUrl'>,
  port: number,
): Pick<NodeFacts, 'url' | 'internalUrl'> => {
  const name = anyAddress.has(host) ? findOwnAddress() : host
  const own = `http://${isIP(name) === 6 ? `[${name}]` : name}:${port}`
  return { url: nodeUrl ?? own, internalUrl: nodeInternalUrl ?? own }
}
