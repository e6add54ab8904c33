// Runs a TypeScript entry point: `node infra/launch.js infra/local.ts [arguments]`. It parses on any Node since 12.22, to tell
// users of an old Node which one they need. Code for a new Node is imported after the check.
const found = process.versions.node
const [major, minor] = found.split('.').map(Number)

const run = () => {
  // The exit code of Node for a top-level await that never settles.
  const neverSettled = () => {
    process.exitCode = 13
  }
  process.once('beforeExit', neverSettled)
  return import('./launch/run-entry.js').then(() => process.removeListener('beforeExit', neverSettled))
}

if (major > 20 || (major === 20 && minor >= 19)) void run()
else {
  process.stderr.write(
    `Gatehouse needs Node 20.19 or newer, and this is Node ${found}. Install a newer one: https://nodejs.org/en/download.\n`,
  )
  process.exitCode = 1
}
