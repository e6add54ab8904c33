import type { Route } from '../../../functions/http/route.ts'
import type { Things } from './things.ts'

/** The route's path with an existing thing for each parameter; throws for a parameter without one. */
export const pathOf = ({ path }: Pick<Route, 'path'>, { ids, values }: Things): string =>
  path
    .split('/')
    .map((part, index, parts) => {
      if (!/^[:*]/.test(part)) return part
      const name = part.slice(1)
      const value = name === 'id' ? ids[parts[index - 1] ?? ''] : values[name]
      if (value === undefined) throw new Error(`${path}: give ${part} a value in things.ts`)
      return value
    })
    .join('/')
