#!/usr/bin/env node
// The command `gatehouse` of a project that has the package: it runs the server, or a task, in the folder of the project.
import { existsSync } from 'node:fs'
import module from 'node:module'
import { setFlagsFromString } from 'node:v8'

const [major, minor] = process.versions.node.split('.').map(Number)
const programs = {
  start: ['local', 'starts the server'],
  dev: ['dev', 'starts the server, and reloads modules when a file changes'],
  test: ['run-tests', 'runs the tests of the project'],
  play: ['play', 'plays in this terminal, on any server'],
  adduser: ['adduser', 'creates an account or changes its password'],
  token: ['token', 'makes an API token'],
  world: ['world', 'creates, exports, imports and deletes worlds'],
  backup: ['backup', 'makes and restores backups of the data folder'],
  migrate: ['migrate', 'moves all data between a data folder and DynamoDB'],
}

const describe = () =>
  ['Use: npx gatehouse [COMMAND]', ...Object.entries(programs).map(([name, [, text]]) => `  ${name.padEnd(8)} ${text}`), ''].join(
    '\n',
  )

const run = async (name) => {
  // Short pauses of the garbage collector, as `npm start` of a checkout has.
  setFlagsFromString('--max-semi-space-size=16')
  module.enableCompileCache?.()
  // Modules of the project are in `modules`, next to its package.json.
  if (process.env.GATEHOUSE_MODULES === undefined && existsSync('modules')) process.env.GATEHOUSE_MODULES = 'modules'
  // `dev` starts the server as a process of its own, with a channel for messages.
  const file = name === 'dev' && process.send !== undefined ? 'dev-server' : programs[name][0]
  const { main } = await import(`../dist/${file}.js`)
  await main
}

const [name = 'start'] = process.argv.splice(2, 1)
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`Gatehouse needs Node 20.19 or newer, and this is Node ${process.versions.node}. Install a newer one.\n`)
  process.exitCode = 1
} else if (name === '--help' || name === '-h') process.stdout.write(describe())
else if (Object.hasOwn(programs, name)) await run(name)
else {
  process.stderr.write(`There is no command ${name}.\n${describe()}`)
  process.exitCode = 2
}
