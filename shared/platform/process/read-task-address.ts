import { isIPv4 } from 'node:net'
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { AppError } from '../../kernel/errors.ts'
import type { RawEnvironment } from './environment.ts'

/** What ECS tells a container about itself, as far as it is read here. */
const Container = Type.Object({
  Networks: Type.Array(Type.Object({ IPv4Addresses: Type.Array(Type.String()) })),
})

const timeoutMs = 2000

const ask = async (url: string): Promise<unknown> => {
  const answer = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) })
  if (!answer.ok) throw new Error(`answered ${answer.status}`)
  return answer.json()
}

/**
 * The environment of a container in ECS with `NODE_INTERNAL_URL` in it: the address that the container has in its network, which only
 * ECS knows. Any other environment, and one that names it, as it is. Throws AppError `unavailable` when ECS does not say.
 */
export const addTaskAddress = async (raw: RawEnvironment): Promise<RawEnvironment> => {
  const metadata = raw.ECS_CONTAINER_METADATA_URI_V4
  if (metadata === undefined || (raw.NODE_INTERNAL_URL ?? '') !== '') return raw
  try {
    const address = Value.Parse(Container, await ask(metadata)).Networks.flatMap(({ IPv4Addresses }) => IPv4Addresses)[0] ?? ''
    if (!isIPv4(address)) throw new Error('no address is among what ECS told')
    return { ...raw, NODE_INTERNAL_URL: `http://${address}:${raw.PORT ?? 3001}` }
  } catch (cause) {
    throw new AppError(
      'unavailable',
      'service-unavailable',
      'ECS does not tell the address of this container. Set NODE_INTERNAL_URL to where other nodes reach it.',
      { cause },
    )
  }
}
