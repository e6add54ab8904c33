#!/usr/bin/env node
// npm create gatehouse FOLDER: makes a project with a server, a module, its test, a dev script and a Dockerfile.
// From a checkout of Gatehouse: npm run create -- FOLDER. The project then has the server of that checkout.
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { basename, join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'

const usage = `Use: npm create gatehouse FOLDER
  --server FILE   a tarball of the server, made by npm run package:server
  --no-install    does not install the packages
`
const here = import.meta.dirname
const checkout = resolve(here, '../..')
const shell = process.platform === 'win32'

const fail = (text) => {
  process.stderr.write(`${text}\n`)
  process.exit(2)
}

/** The value of `gatehouse` in `dependencies`: a tarball in the project, or a version of the registry. */
const findServer = (folder, named) => {
  const { version } = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'))
  const toFile = (path) => `file:${relative(folder, path).replaceAll('\\', '/')}`
  if (named !== undefined) {
    const path = join(folder, basename(named))
    if (path !== resolve(named)) cpSync(named, path)
    return toFile(path)
  }
  if (!existsSync(join(checkout, 'tools/package/server.ts'))) return version
  process.stdout.write('Packing the server of this checkout…\n')
  const program = ['--import', 'tsx', 'tools/package/server.ts', '--hasty', '--out', folder]
  const output = execFileSync(process.execPath, program, {
    cwd: checkout,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return toFile(output.trim().split('\n').at(-1))
}

const readArguments = () => {
  try {
    return parseArgs({
      options: {
        server: { type: 'string' },
        'no-install': { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
      allowPositionals: true,
    })
  } catch (error) {
    return fail(`${error.message}\n${usage}`)
  }
}

const { values, positionals } = readArguments()
if (values.help) {
  process.stdout.write(usage)
  process.exit(0)
}
if (positionals.length > 1) fail(usage)
const folder = resolve(process.env.INIT_CWD ?? '.', positionals[0] ?? '.')
const namedServer = values.server && resolve(process.env.INIT_CWD ?? '.', values.server)
if (namedServer !== undefined && !existsSync(namedServer)) fail(`There is no file ${namedServer}.`)
mkdirSync(folder, { recursive: true })
const present = readdirSync(folder).filter((name) => name !== '.git')
if (present.length > 0) fail(`${folder} is not empty. Name a new folder.`)

cpSync(join(here, 'template'), folder, { recursive: true })
// npm never packs files with these names.
for (const name of ['gitignore', 'dockerignore']) renameSync(join(folder, name), join(folder, `.${name}`))
const name =
  basename(folder)
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '') || 'my-game'
const manifestPath = join(folder, 'package.json')
const { dependencies, ...rest } = JSON.parse(readFileSync(manifestPath, 'utf8'))
const server = findServer(folder, namedServer)
const manifest = { ...rest, name, dependencies: { ...dependencies, gatehouse: server } }
writeFileSync(manifestPath, `${JSON.stringify(manifest, undefined, 2)}\n`)
if (!values['no-install'])
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: folder, stdio: 'inherit', shell })
process.stdout.write(`The project is ready in ${folder}.
  npm run dev   starts the server and reloads modules when a file changes
  npm test      tests the modules
Begin with modules/hello.ts.
`)
