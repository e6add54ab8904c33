import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createLambdaEvent } from '../../../infra/lambda-offline/lambda-offline-event.ts'
import { copyConfigs, type LambdaBundle } from '../../../tools/package/bundle-lambda.ts'
import { bundleLambda } from '../../support/cloud/bundle-one-lambda.ts'
import { createTempDir } from '../../support/processes/temp-dir.ts'

describe('the bundle of a function', () => {
  let folder: Awaited<ReturnType<typeof createTempDir>>
  let bundle: LambdaBundle
  beforeAll(async () => {
    folder = await createTempDir()
    bundle = await bundleLambda('functions/classes/handler.ts', join(folder.path, 'classes'))
    await copyConfigs(join(folder.path, 'classes'))
  }, 180_000)
  afterAll(() => folder.remove())

  /** Calls the handler once, outside of this project and its packages. */
  const call = async (environment: Readonly<Record<string, string>>) => {
    const url = pathToFileURL(join(folder.path, 'classes', 'handler.js')).href
    const event = JSON.stringify(createLambdaEvent({ method: 'GET', target: '/api/classes' }))
    const script = `const { handler } = await import('${url}')
      const answer = await handler(${event}, {}).catch((error) => ({ failed: error.message }))
      process.stdout.write(JSON.stringify(answer), () => process.exit(0))`
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
      cwd: folder.path,
      env: { PATH: process.env.PATH, LOG_LEVEL: 'silent', NODE_NO_WARNINGS: '1', ...environment },
    })
    return JSON.parse(stdout)
  }

  it('loads little before its first call, and the rest on first use', () => {
    expect(bundle.importBytes).toBeGreaterThan(1000)
    expect(bundle.importBytes).toBeLessThan(64 * 1024)
    expect(bundle.totalBytes).toBeGreaterThan(500 * 1024)
  })

  it('needs nothing outside of its folder, and answers 503 without DynamoDB', async () => {
    const answer = await call({
      STORAGE: 'dynamodb',
      DYNAMODB_PATIENCE_MS: '30000',
      DYNAMODB_ENDPOINT: 'http://127.0.0.1:1',
      REDIS_URL: 'redis://127.0.0.1:1',
    })
    expect(answer).toMatchObject({ statusCode: 503, headers: { 'retry-after': '1' } })
  }, 180_000)

  it('names the variable to set when it is started with embedded storage', async () => {
    const { failed } = await call({ STORAGE: 'embedded', REDIS_URL: 'redis://127.0.0.1:1' })
    expect(failed).toBe('embedded.ts is not part of a Lambda. Set STORAGE to dynamodb')
  }, 180_000)
})
