import { NotGatehouseError } from '../errors.ts'
import { type Caller, sendCall } from './call.ts'

/** A world as one file, whole. Throws as `createCall` does, and NotGatehouseError where the answer was cut off. */
export const readWorldExport = async (caller: Caller, world: string): Promise<Blob> => {
  const response = await sendCall(caller, 'GET /api/admin/worlds/{world}/export', { params: { world } })
  try {
    return await response.blob()
  } catch (cause) {
    const message = `The export of ${world} was cut off. Try again; if it ends early again, npm run world -- check ${world} names damaged columns.`
    throw new NotGatehouseError(message, { cause })
  }
}
