const views = new WeakMap<object, object>()

const refuse = (): never => {
  throw new Error(
    'Data cannot be changed in `decide`, where the world is read-only. Change it in `on`, for example in `on.edited`.',
  )
}

const handler: ProxyHandler<object> = {
  get: (target, key) => {
    const value: unknown = Reflect.get(target, key)
    const isFixed = Object.isFrozen(target)
    // A proxy must return the very value of a fixed property.
    return isFixed ? value : readOnly(value)
  },
  set: refuse,
  deleteProperty: refuse,
  defineProperty: refuse,
  setPrototypeOf: refuse,
  preventExtensions: refuse,
}

/** The same JSON value as a view that throws at each change, at every depth. */
export const readOnly = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value
  const known = views.get(value)
  if (known !== undefined) return known
  const view = new Proxy(value, handler)
  views.set(value, view)
  return view
}
