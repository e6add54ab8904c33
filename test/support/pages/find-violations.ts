import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'

/**
 * What axe finds wrong in a page: each rule, with the markup that breaks it. It runs in the page alone, which has no frames, and is put in
 * once a document: to put results together in a blank page of their own costs as much again, and what is right is not asked for.
 */
export const findViolations = async (page: Page): Promise<readonly (readonly [string, readonly string[]])[]> => {
  if (page.frames().length > 1) throw new Error('axe would not look into all frames of this page')
  const isThere = await page.evaluate('"axe" in window')
  const axe = new AxeBuilder({ page, ...(isThere === true && { axeSource: ';' }) })
  const { violations } = await axe
    .setLegacyMode()
    .options({ resultTypes: ['violations'] })
    .analyze()
  return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])
}
