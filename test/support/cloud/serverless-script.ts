import { runServerless } from '../../../tools/package/serverless.ts'

// The second half of `npm run package`, for bundles that are there.
await runServerless(process.argv.slice(2))
