import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'

/** The rules that depend on the colours of the theme. */
const colourRules = ['color-contrast', 'link-in-text-block'] as const

/**
 * Returns violations by axe: each rule, with the markup that breaks it. It runs in the page itself, which has no frames, and is
 * injected once per document. Merging results in a separate blank page would double the cost, and passed rules are not collected. `isOnlyColours`
 * runs only the rules for colours, for a page that was checked in another theme.
 */
export const findViolations = async (
  page: Page,
  { isOnlyColours = false }: { readonly isOnlyColours?: boolean } = {},
): Promise<readonly (readonly [string, readonly string[]])[]> => {
  if (page.frames().length > 1) throw new Error('axe would not look into all frames of this page')
  // A dialog that still appears has weaker colours.
  await page.evaluate(
    '(() => Promise.allSettled(document.getAnimations().filter((one) => one.effect?.getComputedTiming().iterations !== Infinity).map((one) => one.finished)))()',
  )
  const isThere = await page.evaluate('"axe" in window')
  const axe = new AxeBuilder({ page, ...(isThere === true && { axeSource: ';' }) })
  const { violations } = await axe
    .setLegacyMode()
    .options({ resultTypes: ['violations'], ...(isOnlyColours && { runOnly: { type: 'rule', values: [...colourRules] } }) })
    .analyze()
  return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])
}
