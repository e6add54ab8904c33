/** The paths of health checks. They answer every client, at any address, host name and rate. */
export const healthPaths: ReadonlySet<string> = new Set(['/healthz', '/readyz'])
