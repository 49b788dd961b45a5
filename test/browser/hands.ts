import type { Locator, Page } from 'playwright-core'

/** Types a line into the channel and sends it with the keyboard. */
export async function types(page: Page, line: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message #ops' }).focus()
  await page.keyboard.type(line)
  await page.keyboard.press('Enter')
}

export async function sends(page: Page, line: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message #ops' }).fill(line)
  await page.getByRole('main').getByRole('button', { name: 'Send' }).click()
}

/** Waits until the channel shows the text. */
export async function said(page: Page, text: string): Promise<void> {
  await page.getByRole('log').getByText(text).first().waitFor()
}

/** Returns the form field with this label, a combobox, text box or date picker. */
export function fieldOf(form: Locator, label: string): Locator {
  const named = { name: label, exact: true }
  const moment = form.locator(`input[type=datetime-local][aria-label="${label}"]`)
  return form.getByRole('combobox', named).or(form.getByRole('textbox', named)).or(moment)
}

export function isFocused(target: Locator): Promise<boolean> {
  return target.evaluate((element) => element.matches(':focus'))
}

/** Presses Tab until the target has focus, 30 times at most. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let tabs = 0; tabs < 30; tabs += 1) {
    if (await isFocused(target)) return
    await page.keyboard.press('Tab')
  }
  throw new Error('The keyboard does not get there.')
}

/** Fills in a query's form and submits it with the mouse. */
export async function fillsIn(page: Page, verb: string, fields: Readonly<Record<string, string>>): Promise<void> {
  const form = page.getByRole('dialog', { name: verb })
  for (const [label, value] of Object.entries(fields)) {
    await fieldOf(form, label).fill(value)
    if (label === 'Endpoint') await form.getByRole('option', { name: value }).click()
  }
  await form.getByRole('button', { name: 'Show' }).click()
  await form.waitFor({ state: 'hidden' })
}
