export declare const listLicences: (
  root: string,
  inputs: readonly string[],
  lead?: string,
) => Promise<{ readonly name: string; readonly contents: Buffer }>
