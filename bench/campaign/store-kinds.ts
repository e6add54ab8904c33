/** Where the records are, and in how many processes the server runs. */
export const storeKinds = ['embedded', 'redis', 'dynamodb'] as const
export type StoreKind = (typeof storeKinds)[number]
