import { systemIds } from '../../../shared/kernel/ids.ts'

/** A unique key prefix for a test, so that a shared Redis is safe. */
export const createRedisPrefix = (): string => `gatehouse-test-${systemIds.uuid()}:`
