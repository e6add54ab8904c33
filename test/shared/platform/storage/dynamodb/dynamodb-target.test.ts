import { describe, expect, it } from '@jest/globals'
import { isStandIn } from '../../../../../shared/platform/storage/dynamodb/dynamodb-target.ts'

describe('an endpoint', () => {
  it.each(['http://127.0.0.1:8000', 'http://localhost:4566', 'http://[::1]:8000', 'HTTP://LocalHost'])(
    'gets made-up credentials over plain HTTP on this machine: %s',
    (endpoint) => expect(isStandIn(endpoint)).toBe(true),
  )

  it.each([
    undefined,
    'https://127.0.0.1:8000',
    'http://10.0.0.2:8000',
    'http://dynamodb:8000',
    'http://dynamodb.eu-central-1.amazonaws.com',
    'http://localhost.example.org',
    'http://127.0.0.1.example.org',
  ])('gets only real credentials anywhere else: %s', (endpoint) => expect(isStandIn(endpoint)).toBe(false))
})
