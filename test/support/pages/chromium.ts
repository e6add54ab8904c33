import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, isAbsolute, join } from 'node:path'
import { describe } from '@jest/globals'
import { type Browser, chromium } from 'playwright-core'

/** Playwright wants a path, not a name. */
const findOnPath = (command: string): string | undefined =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, command))
    .find((path) => isAbsolute(path) && existsSync(path))

const executablePath = findOnPath('chromium')
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

const quiet = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

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

/** Draws WebGL by the processor: Chromium does so only when it is told. */
const drawing = ['--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist']

/** A headless Chromium that draws in three dimensions, for pages that know nothing of each other. */
export const openDrawingChromium = async (): Promise<Browser> => {
  if (executablePath === undefined) throw new Error(`openDrawingChromium ${why}`)
  return chromium.launch({ executablePath, args: [...quiet.filter((flag) => flag !== '--disable-gpu'), ...drawing] })
}

export type Chromium = Awaited<ReturnType<typeof openChromium>>
