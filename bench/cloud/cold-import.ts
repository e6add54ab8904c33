import type { Context } from 'aws-lambda'

type Bundle = { readonly handler: (event: object, context: Partial<Context>) => Promise<{ readonly statusCode: number }> }

/** Loads the bundle in its argument once, and prints the duration; always a new process. With an event it also handles that. */
const [bundle = '', event] = process.argv.slice(2)
// The runtime of Lambda exists before the bundle.
Object.assign(globalThis, { awslambda: { streamifyResponse: (handler: unknown) => handler } })
const startedMs = performance.now()
const { handler }: Bundle = await import(bundle)
const importMs = performance.now() - startedMs
const answer = event === undefined ? undefined : await handler(JSON.parse(event), {})
const answeredMs = performance.now() - startedMs
process.stdout.write(`${JSON.stringify({ importMs, answeredMs, status: answer?.statusCode })}\n`, () => process.exit(0))
