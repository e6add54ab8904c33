import type { Context } from 'aws-lambda'

type Bundle = { readonly handler: (event: object, context: Partial<Context>) => Promise<{ readonly statusCode: number }> }

/** Loads the bundle of its argument once, and tells how long that took; a process of its own each time. Given an event besides, it has it answered. */
const [bundle = '', event] = process.argv.slice(2)
// The runtime of Lambda is there before the bundle.
Object.assign(globalThis, { awslambda: { streamifyResponse: (handler: unknown) => handler } })
const startedMs = performance.now()
const { handler }: Bundle = await import(bundle)
const importMs = performance.now() - startedMs
const answer = event === undefined ? undefined : await handler(JSON.parse(event), {})
const answeredMs = performance.now() - startedMs
process.stdout.write(`${JSON.stringify({ importMs, answeredMs, status: answer?.statusCode })}\n`, () => process.exit(0))
