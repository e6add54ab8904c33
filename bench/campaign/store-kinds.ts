/** The kinds of stores; each implies the number of processes. */
export const storeKinds = ['embedded', 'redis', 'dynamodb'] as const
export type StoreKind = (typeof storeKinds)[number]
