import { type ObjectOptions, type TObject, type TProperties, Type } from '@sinclair/typebox'

/** The schema of an object with exactly these keys. */
export const ClosedObject = <P extends TProperties>(properties: P, options: ObjectOptions = {}): TObject<P> =>
  Type.Object(properties, { additionalProperties: false, ...options })
