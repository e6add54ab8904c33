export declare const declareEntries: (
  root: string,
  config: string,
  sources: readonly string[],
  options?: object,
) => Promise<ReadonlyMap<string, string>>
