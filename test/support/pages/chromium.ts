import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe } from '@jest/globals'
import { chromium } from 'playwright-core'
import { executablePath, quiet } from './drawing-chromium.ts'

const why = 'needs chromium on the path'

const describeWhere = () => {
  if (executablePath !== undefined) return describe
  if (process.env.CI) throw new Error(`Browser suites must run in CI: this one ${why}`)
  return (name: string, body: () => void) => {
    // Jest's own summary only counts what was skipped.
    process.stderr.write(`SKIPPED: "${name}" ${why}\n`)
    describe.skip(`${name} (SKIPPED: ${why})`, body)
  }
}

/** `describe` where there is a Chromium on the path; else skipped with the reason in its name, and an error in CI. */
export const describeBrowser = describeWhere()

/** A headless Chromium that knows nothing yet; closing it removes what it kept. */
export const openChromium = async () => {
  if (executablePath === undefined) throw new Error(`openChromium ${why}`)
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-chromium-'))
  const context = await chromium.launchPersistentContext(folder, { executablePath, args: quiet })
  return {
    context,
    close: async (): Promise<void> => {
      await context.close()
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

export type Chromium = Awaited<ReturnType<typeof openChromium>>
