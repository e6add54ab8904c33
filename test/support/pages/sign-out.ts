import type { Page } from 'playwright-core'

/** Signs out of the console through the account menu. */
export const signOut = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: /^Account / }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
}
