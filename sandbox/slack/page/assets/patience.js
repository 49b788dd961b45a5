/** The most ms counted between two checks: a page too busy to check was too busy to be read. */
const most = 250

let calm = 0
let looked = Date.now()

/** Restarts the count when a person acts or is shown something new. */
export function beginAgain() {
  calm = 0
}

for (const kind of ['pointerdown', 'pointermove', 'wheel', 'keydown']) addEventListener(kind, beginAgain, true)

/** Returns how long nobody has acted on this page, ms; 0 while it is hidden or a dialog is open. */
export function calmFor() {
  const now = Date.now()
  calm = document.hidden || document.querySelector('dialog[open]') ? 0 : calm + Math.min(now - looked, most)
  looked = now
  return calm
}
