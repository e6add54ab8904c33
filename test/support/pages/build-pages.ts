import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'

const root = resolve(import.meta.dirname, '../../..')

/** Builds the pages of this checkout into a folder, as images and Lambdas hold them. */
export const buildPagesInto = async (folder: string): Promise<void> => {
  await promisify(execFile)(process.execPath, ['infra/pages.js', '--out', folder], { cwd: root })
}
