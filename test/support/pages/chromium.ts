import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { describeWhere } from '../needs/guard.ts'
import { expectGuarded } from '../needs/guarded.ts'
import { executablePath, pageTimeoutMs, plainEnvironment, quiet } from './drawing-chromium.ts'
import { slowPages } from './slow-pages.ts'

const why = 'needs chromium on the path'

export const describeBrowser = describeWhere({ reason: why, isMet: executablePath !== undefined, program: 'chromium' })

/**
 * A headless Chromium with a new profile; closing it removes the profile. It is the headless shell if that is installed, unless
 * `isComplete` requests the browser itself, as for pictures and WebGL.
 */
export const openChromium = async ({ isComplete = false }: { readonly isComplete?: boolean } = {}) => {
  expectGuarded('chromium', 'describeBrowser')
  if (executablePath === undefined) throw new Error(`openChromium ${why}`)
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-chromium-'))
  const context = await chromium.launchPersistentContext(folder, {
    executablePath,
    args: quiet,
    env: isComplete ? process.env : plainEnvironment,
  })
  context.setDefaultTimeout(pageTimeoutMs)
  await slowPages(context)
  return {
    context,
    close: async (): Promise<void> => {
      await context.close()
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

export type Chromium = Awaited<ReturnType<typeof openChromium>>
