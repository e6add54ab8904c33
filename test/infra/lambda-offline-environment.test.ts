import { describe, expect, it } from '@jest/globals'
import { parseOfflineEnvironment } from '../../infra/lambda-offline-environment.ts'
import { AppError } from '../../shared/kernel/errors.ts'

const refusalOf = (variables: Readonly<Record<string, string>>): readonly string[] => {
  try {
    parseOfflineEnvironment(variables)
    return []
  } catch (error) {
    return error instanceof AppError ? error.publicDetail.split('\n').slice(1) : [String(error)]
  }
}
const redis = { REDIS_URL: 'redis://127.0.0.1:6379' }

describe('the environment of the functions on this machine', () => {
  it.each([{}, { DYNAMODB_ENDPOINT: '' }])(
    'reports a missing DYNAMODB_ENDPOINT first, with its remedy, then the rest: %j',
    (none) => {
      expect(refusalOf(none)).toEqual([
        expect.stringMatching(/^DYNAMODB_ENDPOINT: .*docker compose .* localstack.*npm run tables$/),
        expect.stringMatching(/^REDIS_URL: /),
      ])
    },
  )

  it('reports only the endpoint when only the endpoint is missing', () => {
    expect(refusalOf(redis)).toEqual([expect.stringMatching(/^DYNAMODB_ENDPOINT: /)])
  })

  it('reports an invalid endpoint, and accepts a valid one with a region of its own', () => {
    expect(refusalOf({ ...redis, DYNAMODB_ENDPOINT: 'localhost:8000' })[0]).toMatch(/^DYNAMODB_ENDPOINT: must start with http/)
    const endpoint = 'http://127.0.0.1:8000'
    expect(parseOfflineEnvironment({ ...redis, DYNAMODB_ENDPOINT: endpoint }).dynamodb).toMatchObject({
      endpoint,
      region: 'us-east-1',
    })
  })
})
