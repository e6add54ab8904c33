import { parseArgs } from 'node:util'
import { packServer } from './pack-server.ts'

const usage = `Usage: npm run package:server [-- OPTIONS]

Packs the server as a tarball for projects, and prints its path.

  --out FOLDER   writes it there; .build/server by default
  --hasty        compresses the pages less
`

const readArguments = () => {
  try {
    return parseArgs({
      options: {
        out: { type: 'string', default: '.build/server' },
        hasty: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }).values
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n\n${usage}`)
    process.exit(2)
  }
}

const { out, hasty, help } = readArguments()
process.stdout.write(help ? usage : `${await packServer(out, { isHasty: hasty })}\n`)
