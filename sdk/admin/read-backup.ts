import { NotGatehouseError } from '../errors.ts'
import { type Caller, sendCall } from './call.ts'

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
