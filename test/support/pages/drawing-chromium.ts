import { existsSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { expectGuarded } from '../needs/guarded.ts'
import { slowPages } from './slow-pages.ts'

/** Playwright wants a path, not a name. */
const findOnPath = (command: string): string | undefined =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, command))
    .find((path) => isAbsolute(path) && existsSync(path))

/** The start script of the Chromium on the path; undefined without one. */
export const executablePath = findOnPath('chromium') && join(import.meta.dirname, 'chromium.sh')

const shell = 'chromium-headless-shell'

/**
 * The environment of a Chromium for pages that do not draw. It names the headless shell if that is installed. The shell has the
 * same engine without the windows of the browser. A suite then takes a fifth to a third less processor time. Two tests of the
 * game and the 3D editor of zones fail in the shell, and its pictures differ by more than 1 %.
 */
export const plainEnvironment = {
  ...process.env,
  ...(findOnPath(shell) !== undefined && { GATEHOUSE_CHROMIUM: shell }),
}

/** The longest wait for an element or an address. Pages are slow while other suites use the processor. */
export const pageTimeoutMs = 60_000

export const quiet = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Renders WebGL on the processor, which Chromium does only with these flags. Other pages cost a fifth less without them. */
const drawing = [
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--ignore-gpu-blocklist',
  '--disable-gpu-compositing',
  '--disable-gpu-rasterization',
  '--in-process-gpu',
]

const launch = async (args: readonly string[], env: NodeJS.ProcessEnv = process.env): Promise<Browser> => {
  expectGuarded('chromium', 'describeBrowser')
  if (executablePath === undefined) throw new Error('there is no chromium on the path')
  const browser = await chromium.launch({ executablePath, args: [...args], env })
  browser.on('context', (context) => {
    context.setDefaultTimeout(pageTimeoutMs)
    void slowPages(context)
  })
  return browser
}

/** A headless Chromium without WebGL. */
export const openBlindChromium = (): Promise<Browser> =>
  launch([...quiet, '--disable-3d-apis', '--disable-software-rasterizer'], plainEnvironment)

/**
 * A headless Chromium with WebGL, for independent pages. It is the headless shell if that is installed, which takes half of the
 * time. `isComplete` requests the browser itself, as for digging by mouse and pictures of the game.
 */
export const openDrawingChromium = ({ isComplete = false }: { readonly isComplete?: boolean } = {}): Promise<Browser> =>
  launch([...quiet.filter((flag) => flag !== '--disable-gpu'), ...drawing], isComplete ? process.env : plainEnvironment)
