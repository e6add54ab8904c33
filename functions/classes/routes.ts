import type { Route } from '../http/route.ts'
import { listClasses } from './list-classes.ts'
import { listSkills } from './list-skills.ts'
import { listUnlocks } from './list-unlocks.ts'

export const classRoutes: readonly Route[] = [listUnlocks, listClasses, listSkills]
