import { failStart } from '../shared/platform/process/fail-start.ts'
import { mayStart } from '../shared/platform/process/server-arguments.ts'
import { startLocalServer } from './project/local-server.ts'

/** `npm start` */
export const main = mayStart('start', 'Starts the server.') ? startLocalServer().catch(failStart) : undefined
