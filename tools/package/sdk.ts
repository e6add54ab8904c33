import { parseArgs } from 'node:util'
import { packSdk } from './pack-sdk.ts'

const { values } = parseArgs({ options: { out: { type: 'string', default: '.build/sdk' } } })
process.stdout.write(`${await packSdk(values.out)}\n`)
