/** The version of Gatehouse, as in `package.json`. */
export const version = '0.2.0'
