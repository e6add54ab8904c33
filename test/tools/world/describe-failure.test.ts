import { describe, expect, it } from '@jest/globals'
import { AppError } from '../../../shared/kernel/errors.ts'
import { describeFailure } from '../../../tools/world/describe-failure.ts'

const errors = [{ pointer: '/auth/oauth/issuer', message: 'is required' }]

describe('the description of a failed task', () => {
  it('lists causes below the errors they belong to', () => {
    expect(describeFailure(new AppError('invalid', 'bad-request', 'No.', { errors }))).toBe(
      'No.\n  auth/oauth/issuer is required',
    )
  })

  it('lists no error twice', () => {
    const detail = 'The configuration is not valid.\nserver.yaml:1:1: /auth/oauth/issuer: is required'
    expect(describeFailure(new AppError('invalid', 'bad-request', detail, { errors }))).toBe(detail)
  })
})
