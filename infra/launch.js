// Runs a TypeScript entry point: `node infra/launch.js infra/local.ts [arguments]`. It parses on any Node since 12.22, to tell an old one
// what is needed; what only a new one understands is imported after the check.
const found = process.versions.node
const [major, minor] = found.split('.').map(Number)

const run = () => {
  // As Node does with a top-level await that never settles.
  const neverSettled = () => {
    process.exitCode = 13
  }
  process.once('beforeExit', neverSettled)
  return import('./launch/run-entry.js').then(() => process.removeListener('beforeExit', neverSettled))
}

if (major > 20 || (major === 20 && minor >= 19)) void run()
else {
  process.stderr.write(`Gatehouse needs Node 20.19 or newer, and this is Node ${found}: see https://nodejs.org/en/download.\n`)
  process.exitCode = 1
}
