/** Health checks. They are answered to everyone, from any address, under any name and as often as they come. */
export const healthPaths: ReadonlySet<string> = new Set(['/healthz', '/readyz'])
