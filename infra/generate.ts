import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, posix, relative, resolve } from 'node:path'
import { createErrorsPage } from '../functions/http/errors-page.ts'

const root = resolve(import.meta.dirname, '..')
const protocol = join(root, 'realtime/protocol')
const errorsPagePath = 'docs/errors.md'
const binaries = join(root, 'node_modules/.bin')

const buf = (...args: readonly string[]): void => {
  execFileSync(join(binaries, process.platform === 'win32' ? 'buf.cmd' : 'buf'), args, {
    cwd: protocol,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
    env: { ...process.env, PATH: `${binaries}${delimiter}${process.env.PATH ?? ''}` },
  })
}

/** Writes everything that is made from `gatehouse.proto` below `output`/generated: the codec, and the descriptor for the JSON mapping. */
const generateInto = (output: string): void => {
  buf('generate', '--output', output, '--clean')
  const descriptor = join(output, 'descriptor.binpb')
  buf('build', '--as-file-descriptor-set', '--exclude-source-info', '--output', descriptor)
  const base64 = readFileSync(descriptor).toString('base64')
  rmSync(descriptor)
  const lines = base64.match(/.{1,120}/g) ?? []
  writeFileSync(
    join(output, 'generated/descriptor.ts'),
    `// Made from gatehouse.proto by \`npm run generate\`: a google.protobuf.FileDescriptorSet in base64.\nexport const descriptorSetBase64 =\n${lines.map((line) => `  '${line}'`).join(' +\n')}\n`,
  )
}

const readTree = (folder: string, under: string): ReadonlyMap<string, string> =>
  new Map(
    readdirSync(folder, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [
        posix.join(under, relative(folder, path).replaceAll('\\', '/')),
        readFileSync(path, 'utf8').replaceAll('\r\n', '\n'),
      ]),
  )

const listDifferences = (expected: ReadonlyMap<string, string>, actual: ReadonlyMap<string, string>): string[] =>
  [...new Set([...expected.keys(), ...actual.keys()])].filter((name) => expected.get(name) !== actual.get(name)).sort()

/** The made files that are not what they are made from; `made` holds them by their path from the root. */
const listStale = (made: ReadonlyMap<string, string>): string[] => {
  const generated = readTree(join(protocol, 'generated'), 'realtime/protocol/generated')
  const errorsPage = existsSync(join(root, errorsPagePath)) ? readFileSync(join(root, errorsPagePath), 'utf8') : ''
  return listDifferences(made, new Map([...generated, [errorsPagePath, errorsPage]]))
}

/** Everything that is made, without touching what is checked in. */
const make = (): ReadonlyMap<string, string> => {
  const output = mkdtempSync(join(tmpdir(), 'gatehouse-generate-'))
  try {
    generateInto(output)
    return new Map([...readTree(join(output, 'generated'), 'realtime/protocol/generated'), [errorsPagePath, createErrorsPage()]])
  } finally {
    rmSync(output, { recursive: true, force: true })
  }
}

buf('lint')
const made = make()
if (process.argv.includes('--check')) {
  const stale = listStale(made)
  if (stale.length > 0) process.stderr.write(`Out of date, run npm run generate:\n${stale.join('\n')}\n`)
  process.exitCode = stale.length > 0 ? 1 : 0
} else {
  rmSync(join(protocol, 'generated'), { recursive: true, force: true })
  for (const [path, text] of made) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
}
