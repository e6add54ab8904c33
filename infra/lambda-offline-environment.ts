import { AppError, type Fault } from '../shared/kernel/errors.ts'
import { type Environment, parseEnvironment, type RawEnvironment } from '../shared/platform/process/environment.ts'
import type { DynamoTarget } from '../shared/platform/storage/dynamodb/dynamodb-target.ts'

/** The environment of the functions on this machine, with local tables. */
export type OfflineEnvironment = Environment & { readonly dynamodb: DynamoTarget }

const anyEndpoint = 'http://127.0.0.1:4566'
const noEndpoint: Fault = {
  pointer: 'DYNAMODB_ENDPOINT',
  message: `is needed, because the functions keep all data in a DynamoDB on this machine. Start one (docker compose -f infra/docker-compose.yml up -d localstack), set it to ${anyEndpoint} and run npm run tables`,
}

/** The other faults, as they would be with an endpoint. */
const findOthers = (raw: RawEnvironment): readonly Fault[] => {
  try {
    parseEnvironment({ ...raw, DYNAMODB_ENDPOINT: anyEndpoint }, 'http')
    return []
  } catch (error) {
    if (error instanceof AppError) return error.errors ?? []
    throw error
  }
}

/**
 * Throws AppError `invalid` with all faults in one message, a missing `DYNAMODB_ENDPOINT` first, because most of the others
 * follow from it.
 */
export const parseOfflineEnvironment = (variables: RawEnvironment): OfflineEnvironment => {
  const raw: RawEnvironment = { ...variables, STORAGE: 'dynamodb' }
  if (raw.DYNAMODB_ENDPOINT) {
    const { dynamodb, ...environment } = parseEnvironment(raw, 'http')
    if (dynamodb !== undefined) return { ...environment, dynamodb }
  }
  const errors = [noEndpoint, ...findOthers(raw)]
  const list = errors.map(({ pointer, message }) => `${pointer}: ${message}`).join('\n')
  throw new AppError('invalid', 'bad-request', `The environment is not valid.\n${list}`, { errors })
}
