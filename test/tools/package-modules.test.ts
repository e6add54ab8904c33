import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { openModuleFolder } from '../support/modules/module-folder.ts'

const root = resolve(import.meta.dirname, '../..')
let folder: Awaited<ReturnType<typeof openModuleFolder>>

beforeAll(async () => {
  folder = await openModuleFolder({
    'good/hello.ts': `import { defineModule } from 'gatehouse/module'\nexport default defineModule({ name: 'hello', api: 1 })\n`,
    'bad/broken.ts': 'export default {\n  name: ,\n}\n',
  })
})
afterAll(() => folder.remove())

const run = async (...args: string[]) => {
  const program = ['--import', 'tsx', join(root, 'tools/package/package.ts'), '--modules', '--out', join(folder.path, 'out')]
  const child = spawn(process.execPath, [...program, ...args], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  const texts: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => texts.push(String(text)))
  const [code] = await once(child, 'close')
  return { code, output: texts.join('') }
}

it('npm run package -- --modules bundles modules, and prints the place of a fault', async () => {
  expect(await run(join(folder.path, 'good'))).toMatchObject({ code: 0, output: expect.stringContaining('Bundled hello into') })
  expect(await run(join(folder.path, 'bad'))).toMatchObject({ code: 1, output: expect.stringContaining('broken.ts:2:9: ') })
  expect(await run(join(folder.path, 'none'))).toMatchObject({
    code: 2,
    output: expect.stringContaining('There is no module in'),
  })
})
