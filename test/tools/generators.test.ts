import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect, it } from '@jest/globals'
import { allRoutes } from '../../functions/all-routes.ts'
import { describeApi } from '../../functions/service/describe-api.ts'
import { describeWhere } from '../support/needs/guard.ts'
import { createTempDir } from '../support/processes/temp-dir.ts'

const folder = resolve(import.meta.dirname, '../../tools/generators')
const reason = 'needs the generators: npm ci --prefix tools/generators'
const describeGenerators = describeWhere({ reason, isMet: existsSync(join(folder, 'node_modules/typescript')) })

describeGenerators('the API description', () => {
  it('gives clients that compile, and no warnings of redocly and spectral', async () => {
    const dir = await createTempDir()
    const document = join(dir.path, 'openapi.json')
    await writeFile(document, JSON.stringify(await describeApi(async () => allRoutes, 'http://127.0.0.1:3000'), undefined, 1))
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, 'check.mjs'), document], { encoding: 'utf8' })
    await dir.remove()
    expect([stdout, stderr, status]).toEqual(['', '', 0])
  }, 600_000)
})
