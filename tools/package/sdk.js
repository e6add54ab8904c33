// npm run package:sdk: writes the client library as a tarball for npm. A running server has it at /pages/gatehouse-client.tgz.
import { mkdir, writeFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { packClient } from '../../infra/pages/pack-client.js'

const { values } = parseArgs({ options: { out: { type: 'string', default: '.build/sdk' } } })
const { version, contents } = await packClient(resolve(import.meta.dirname, '../..'))
const path = join(values.out, `gatehouse-client-${version}.tgz`)
await mkdir(values.out, { recursive: true })
await writeFile(path, contents)
process.stdout.write(`${relative(process.cwd(), path)}\n`)
