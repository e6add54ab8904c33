import { describe, expect, it } from '@jest/globals'
import { orUnknown } from '../../../../../shared/domain/configs/compare/config-impact-unknown.ts'
import { AppError } from '../../../../../shared/kernel/errors.ts'

const failing = (error: Error) => orUnknown(() => Promise.reject(error))

describe('orUnknown', () => {
  it('returns the value, or null when it is unavailable', async () => {
    expect(await orUnknown(async () => 7)).toBe(7)
    expect(await failing(new AppError('unavailable', 'service-unavailable', 'away'))).toBeNull()
  })

  it('throws any other error', async () => {
    await expect(failing(new AppError('invalid', 'bad-request', 'no'))).rejects.toMatchObject({ kind: 'invalid' })
    await expect(failing(new TypeError('a bug'))).rejects.toThrow('a bug')
  })
})
