import type { Locator, Page } from 'playwright-core'

/** Types a line into the channel and sends it, with the keyboard. */
export async function types(page: Page, line: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message #ops' }).focus()
  await page.keyboard.type(line)
  await page.keyboard.press('Enter')
}

/** Sends a line to the channel with the mouse. */
export async function sends(page: Page, line: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message #ops' }).fill(line)
  await page.getByRole('main').getByRole('button', { name: 'Send' }).click()
}

/** Waits until the channel reads so. */
export async function said(page: Page, text: string): Promise<void> {
  await page.getByRole('log').getByText(text).first().waitFor()
}

/** The field of a form with this label. */
export function fieldOf(form: Locator, label: string): Locator {
  const named = { name: label, exact: true }
  const moment = form.locator(`input[type=datetime-local][aria-label="${label}"]`)
  return form.getByRole('combobox', named).or(form.getByRole('textbox', named)).or(moment)
}

/** Goes from field to field, as somebody without a mouse does. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let tabs = 0; tabs < 30; tabs += 1) {
    if (await target.evaluate((element) => element.matches(':focus'))) return
    await page.keyboard.press('Tab')
  }
  throw new Error('The keyboard does not get there.')
}

/** Fills in the form of a query and hands it in, with the mouse. */
export async function fillsIn(page: Page, verb: string, fields: Readonly<Record<string, string>>): Promise<void> {
  const form = page.getByRole('dialog', { name: verb })
  for (const [label, value] of Object.entries(fields)) {
    await fieldOf(form, label).fill(value)
    if (label === 'Endpoint') await form.getByRole('option', { name: value }).click()
  }
  await form.getByRole('button', { name: 'Show' }).click()
  await form.waitFor({ state: 'hidden' })
}
