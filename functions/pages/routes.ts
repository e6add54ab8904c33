import type { Route } from '../http/route.ts'
import { createPageRoute, pageFile } from './page.ts'

/** The pages for browsers, and their files. */
export const pageRoutes: readonly Route[] = [
  createPageRoute('play', 'The game, in the browser.'),
  createPageRoute('console', 'The console for administrators, in the browser.'),
  pageFile,
]
