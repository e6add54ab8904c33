import { isIPv4 } from 'node:net'
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { AppError } from '../../kernel/errors.ts'
import type { RawEnvironment } from './environment.ts'

/** The metadata of a container in ECS, as far as it is needed. */
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
 * Adds `NODE_INTERNAL_URL` to the environment of a container in ECS: its address in the network, which only ECS knows. Leaves other
 * environments, and ones that set it, unchanged. Throws AppError `unavailable` if ECS has no address.
 */
export const addTaskAddress = async (raw: RawEnvironment): Promise<RawEnvironment> => {
  const metadata = raw.ECS_CONTAINER_METADATA_URI_V4
  if (metadata === undefined || (raw.NODE_INTERNAL_URL ?? '') !== '') return raw
  try {
    const address = Value.Parse(Container, await ask(metadata)).Networks.flatMap(({ IPv4Addresses }) => IPv4Addresses)[0] ?? ''
    if (!isIPv4(address)) throw new Error('the metadata of ECS has no address')
    return { ...raw, NODE_INTERNAL_URL: `http://${address}:${raw.PORT ?? 3001}` }
  } catch (cause) {
    throw new AppError(
      'unavailable',
      'service-unavailable',
      'ECS does not report the address of this container. Set NODE_INTERNAL_URL to the address at which other nodes reach it.',
      { cause },
    )
  }
}
