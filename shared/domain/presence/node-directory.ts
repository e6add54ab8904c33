import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { Type } from '@sinclair/typebox'
import type { Clock } from '../../kernel/clock.ts'
import { createParser } from '../../kernel/schema.ts'
import type { Environment } from '../../platform/process/environment.ts'
import { type LiveNode, type NodeFacts, nodeStates, type Presence } from './presence.ts'

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

const Facts = Type.Object({
  world: Type.Optional(Type.String()),
  fence: Type.Integer({ minimum: 0 }),
  state: Type.Union(nodeStates.map((state) => Type.Literal(state))),
  url: Type.String(),
  internalUrl: Type.String(),
  maxSessions: Type.Integer({ minimum: 0 }),
  startedAt: Type.Number(),
  version: Type.String(),
})

/** Allows the keys of newer versions. */
const Record = Type.Object({
  revision: Type.Integer(),
  connected: Type.Integer({ minimum: 0 }),
  facts: Type.Optional(Facts),
})

/** A node's description of itself. `revision` differs each time, so that the node notices if Redis lost the last one. */
type NodeRecord = { readonly revision: number; readonly connected: number; readonly facts: NodeFacts | undefined }

const parseRecord = createParser(Record)

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const formatNodeRecord = (record: NodeRecord): string => JSON.stringify(record)

/** Returns no players and no facts if the text is invalid. */
export const parseNodeRecord = (text: string): Pick<NodeRecord, 'connected' | 'facts'> => {
  const record = parseRecord(parseJson(text))
  if (!record.ok) return { connected: 0, facts: undefined }
  const { connected, facts } = record.value
  if (facts === undefined) return { connected, facts }
  const { world, fence, state, url, internalUrl, maxSessions, startedAt, version } = facts
  return { connected, facts: { world, fence, state, url, internalUrl, maxSessions, startedAt, version } }
}

/** The live nodes. Costs one read of the registry in `freshMs`, for any number of callers. */
export type NodeDirectory = {
  /** The nodes in the registry, without those whose world another node took over. Throws AppError `unavailable`. */
  list(): Promise<readonly LiveNode[]>
  /** As `list`, but returns the last known nodes while the registry is away. Throws AppError `unavailable` if it never answered. */
  listKnown(): Promise<readonly LiveNode[]>
  /** Discards the result that is cached or being read. The next call reads again. */
  forget(): void
}

/** Too short to notice, and much longer than the time between two upgrades in a rush. */
const freshMs = 250

/** Removes nodes that were replaced. A killed node is listed for some seconds next to its successor, whose lease has a higher fence. */
const withoutSuperseded = (nodes: readonly LiveNode[]): readonly LiveNode[] => {
  const fences = new Map<string, number>()
  for (const { world, fence } of nodes) if (world !== undefined) fences.set(world, Math.max(fence, fences.get(world) ?? 0))
  return nodes.filter(({ world, state, fence }) => world === undefined || state === 'draining' || fences.get(world) === fence)
}

export const createNodeDirectory = ({
  presence,
  clock,
}: {
  readonly presence: Pick<Presence, 'listNodes'>
  readonly clock: Pick<Clock, 'monotonic'>
}): NodeDirectory => {
  let cached: readonly LiveNode[] | undefined
  let readAtMs = Number.NEGATIVE_INFINITY
  let underWay: Promise<readonly LiveNode[]> | undefined
  let timesForgotten = 0

  const read = async (): Promise<readonly LiveNode[]> => {
    const askedAtMs = clock.monotonic()
    const forgottenBefore = timesForgotten
    const nodes = withoutSuperseded(await presence.listNodes())
    if (timesForgotten === forgottenBefore) {
      cached = nodes
      readAtMs = askedAtMs
    }
    return nodes
  }
  const list = (): Promise<readonly LiveNode[]> => {
    if (cached !== undefined && clock.monotonic() - readAtMs < freshMs) return Promise.resolve(cached)
    if (underWay !== undefined) return underWay
    const reading = read().finally(() => {
      if (underWay === reading) underWay = undefined
    })
    underWay = reading
    return reading
  }
  return {
    list,
    listKnown: () =>
      list().catch((error: unknown) => {
        if (cached === undefined) throw error
        return cached
      }),
    forget: () => {
      timesForgotten += 1
      readAtMs = Number.NEGATIVE_INFINITY
      underWay = undefined
    },
  }
}
