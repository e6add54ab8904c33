import { runServerless } from '../../../tools/package/serverless.ts'

// The second half of `npm run package`, for existing bundles.
await runServerless(process.argv.slice(2))
