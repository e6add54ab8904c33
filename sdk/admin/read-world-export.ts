import { NotGatehouseError } from '../errors.ts'
import { type Caller, sendCall } from './call.ts'

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
