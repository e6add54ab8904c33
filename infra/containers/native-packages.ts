/** Packages with machine code, which cannot be bundled. They are installed next to the bundle. */
export const nativePackages: readonly string[] = ['@napi-rs/nice', 'fs-native-extensions', 'lmdb']
