import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, relative, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')
const protocol = join(root, 'realtime/protocol')
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

const readTree = (folder: string): ReadonlyMap<string, string> =>
  new Map(
    readdirSync(folder, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [relative(folder, path), readFileSync(path, 'utf8').replaceAll('\r\n', '\n')]),
  )

const listDifferences = (expected: ReadonlyMap<string, string>, actual: ReadonlyMap<string, string>): string[] =>
  [...new Set([...expected.keys(), ...actual.keys()])].filter((name) => expected.get(name) !== actual.get(name)).sort()

const check = (): void => {
  const output = mkdtempSync(join(tmpdir(), 'gatehouse-generate-'))
  try {
    generateInto(output)
    const stale = listDifferences(readTree(join(output, 'generated')), readTree(join(protocol, 'generated')))
    if (stale.length === 0) return
    process.stderr.write(`Not what gatehouse.proto says, run npm run generate:\n${stale.join('\n')}\n`)
    process.exitCode = 1
  } finally {
    rmSync(output, { recursive: true, force: true })
  }
}

buf('lint')
if (process.argv.includes('--check')) check()
else generateInto(protocol)
