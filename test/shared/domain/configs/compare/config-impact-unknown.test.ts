import { describe, expect, it } from '@jest/globals'
import { orUnknown } from '../../../../../shared/domain/configs/compare/config-impact-unknown.ts'
import { AppError } from '../../../../../shared/kernel/errors.ts'

const failing = (error: Error) => orUnknown(() => Promise.reject(error))

describe('orUnknown', () => {
  it('answers what is asked, and null only where that is out of reach', async () => {
    expect(await orUnknown(async () => 7)).toBe(7)
    expect(await failing(new AppError('unavailable', 'service-unavailable', 'away'))).toBeNull()
  })

  it('hides no other fault', async () => {
    await expect(failing(new AppError('invalid', 'bad-request', 'no'))).rejects.toMatchObject({ kind: 'invalid' })
    await expect(failing(new TypeError('a bug'))).rejects.toThrow('a bug')
  })
})
