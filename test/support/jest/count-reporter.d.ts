/** See count-reporter.js. */
// biome-ignore lint/style/noDefaultExport: jest loads reporters by it
export default class CountReporter {
  constructor(
    globalConfig?: { readonly testNamePattern?: string },
    options?: { readonly isCi?: boolean; readonly write?: (text: string) => void },
  )
  onRunComplete(contexts: unknown, results: object): void
  getLastError(): Error | undefined
}
