import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { type MadeFiles, readFolder, root } from './made-files.ts'

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

/** Generates the codec of `gatehouse.proto` and the descriptor for the JSON mapping into `output`/generated. */
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

const listedCode = /^ {3}\* - ([a-z][a-z\d, -]*):(.*)$/gm
const field = /( {2}\/\*\*\n(?: {3}\*[^\n]*\n)+? {3}\*\/\n {2}(\w+)\??:\s+(?:\| )?)string\b/g

/** The code as a type. A code that is "Followed by" a detail is a template. */
const printCode = (code: string, text: string): string =>
  text.startsWith(' Followed by') ? `\`${code}: $\{string}\`` : `"${code}"`

/** Gives each text field whose comment lists its codes a type with these codes. A newer server may send others. */
const typeCodes = (types: string): string => {
  const unions: string[] = []
  const typed = types.replace(/^export interface (\w+) \{\n[\s\S]*?^\}/gm, (message, name: string) =>
    message.replace(field, (text, before: string, member: string) => {
      const codes = [...before.matchAll(listedCode)].flatMap(([, listed = '', rest = '']) =>
        listed.split(', ').map((code) => printCode(code, rest)),
      )
      if (codes.length === 0) return text
      const type = `${name}${member.charAt(0).toUpperCase()}${member.slice(1)}`
      unions.push(`\nexport type ${type} =\n  | ${codes.join('\n  | ')}\n  | (string & Record<never, never>);\n`)
      return before + type
    }),
  )
  return typed + unions.join('')
}

/** The folder of message types and their codec for the client library. */
export const messageTypesFolder = 'sdk/protocol/generated'

/** Generates the codec of `gatehouse.proto` after `buf` has checked it. */
export const makeProtocol = (): MadeFiles => {
  buf('lint')
  const output = mkdtempSync(join(tmpdir(), 'gatehouse-generate-'))
  try {
    generateInto(output)
    return new Map([
      ...readFolder(join(output, 'generated'), 'realtime/protocol/generated'),
      // The messages refer to none of the well-known types.
      ...[...readFolder(join(output, 'messages'), messageTypesFolder)]
        .filter(([path]) => path.endsWith('/gatehouse.ts'))
        .map(([path, types]) => [path, typeCodes(types)] as const),
      ...['encode', 'decode'].flatMap((name) => [...readFolder(join(output, name), `${messageTypesFolder}/${name}`)]),
    ])
  } finally {
    rmSync(output, { recursive: true, force: true })
  }
}
