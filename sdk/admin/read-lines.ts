import { NotGatehouseError } from '../errors.ts'
import { describeFailure } from '../http/ask.ts'
import { type Caller, sendCall } from './call.ts'

const parseLine = (line: string, url: string): unknown => {
  try {
    return JSON.parse(line)
  } catch (cause) {
    throw new NotGatehouseError(`${url} sent a line that is not JSON: the answer was cut off.`, { cause })
  }
}

/** A block of a zone in its listing. */
export type ZoneBlock = { readonly x: number; readonly y: number; readonly z: number; readonly type: string }

const isZoneBlock = (value: unknown): value is ZoneBlock =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string' && 'x' in value

/**
 * Reads the lines of an NDJSON answer as they arrive, however many there are. To leave the loop ends the request. Throws as
 * `createCall` does, and UnreachableError or NotGatehouseError if the answer is cut off.
 */
export async function* readZoneBlocks(
  caller: Caller,
  id: string,
  options: { readonly cx?: number; readonly cz?: number; readonly signal?: AbortSignal } = {},
): AsyncGenerator<ZoneBlock> {
  const { signal, ...query } = options
  const response = await sendCall(caller, 'GET /api/admin/instances/{id}/blocks', {
    params: { id },
    query,
    ...(signal && { signal }),
  })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  if (reader === undefined) return
  const read = () =>
    reader.read().catch((cause: unknown) => {
      signal?.throwIfAborted()
      throw describeFailure(caller.url, cause)
    })
  let rest = ''
  try {
    for (let piece = await read(); !piece.done; piece = await read()) {
      const lines = (rest + piece.value).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        const block = parseLine(line, caller.url)
        if (isZoneBlock(block)) yield block
      }
    }
    if (rest.trim() !== '') parseLine(rest, caller.url)
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

/** Downloads a backup as one complete archive (.tar.gz). Throws as `createCall` does, and NotGatehouseError if the answer was cut off. */
export const readBackup = async (caller: Caller, id: string): Promise<Blob> => {
  const response = await sendCall(caller, 'GET /api/admin/backups/{id}/download', { params: { id } })
  try {
    return await response.blob()
  } catch (cause) {
    throw new NotGatehouseError(`The download of ${id} was cut off. Check that the backup still exists, and try again.`, {
      cause,
    })
  }
}

/** Downloads a world as one complete file. Throws as `createCall` does, and NotGatehouseError if the answer was cut off. */
export const readWorldExport = async (caller: Caller, world: string): Promise<Blob> => {
  const response = await sendCall(caller, 'GET /api/admin/worlds/{world}/export', { params: { world } })
  try {
    return await response.blob()
  } catch (cause) {
    const message = `The export of ${world} was cut off. Try again. If it ends early again, run npm run world -- check ${world} to find damaged columns.`
    throw new NotGatehouseError(message, { cause })
  }
}
