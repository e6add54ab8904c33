import { failStart } from '../shared/platform/process/fail-start.ts'
import { startLocalServer } from './project/local-server.ts'

/** `npm start` */
export const main = startLocalServer().catch(failStart)
