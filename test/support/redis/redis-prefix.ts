import { systemIds } from '../../../shared/kernel/ids.ts'

/** A beginning for keys that no other test has, so that a shared Redis is safe. */
export const createRedisPrefix = (): string => `gatehouse-test-${systemIds.uuid()}:`
