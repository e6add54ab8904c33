import { resolve } from 'node:path'
import { buildImageFolder } from './containers/build-image-folder.ts'
import { findHalf, halfNames } from './containers/bundle-half.ts'

/** Names of machines in Docker (TARGETARCH), and in Node. */
const cpus: ReadonlyMap<string, string> = new Map([
  ['amd64', 'x64'],
  ['arm64', 'arm64'],
])

const usage = `node infra/launch.js infra/image.ts <${halfNames.join('|')}> <folder> <${[...cpus.keys()].join('|')}>
  Writes the content of an image besides Node into a new folder. infra/Dockerfile.http and infra/Dockerfile.realtime run it.
`

const run = async (): Promise<void> => {
  const [name = '', folder = '', machine = ''] = process.argv.slice(2)
  const half = findHalf(name)
  const cpu = cpus.get(machine)
  if (half !== undefined && folder !== '' && cpu !== undefined) return buildImageFolder(process.cwd(), half, resolve(folder), cpu)
  process.stderr.write(usage)
  process.exitCode = 2
}

export const main = run()
