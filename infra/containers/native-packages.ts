/** Packages with code made for one kind of machine, which no bundle can hold: they are installed beside it. */
export const nativePackages: readonly string[] = ['@napi-rs/nice', 'fs-native-extensions', 'lmdb']
