import { parseArgs } from 'node:util'
import { packServer } from './pack-server.ts'

const { values } = parseArgs({
  options: { out: { type: 'string', default: '.build/server' }, hasty: { type: 'boolean', default: false } },
})
process.stdout.write(`${await packServer(values.out, { isHasty: values.hasty })}\n`)
