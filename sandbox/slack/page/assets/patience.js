/** Between two looks no more than this is counted, ms: a page that was too busy to look was too busy to be read. */
const most = 250

let calm = 0
let looked = Date.now()

/** Whoever does something is there, and given the whole time anew; so is whoever has just been told something. */
export function beginAgain() {
  calm = 0
}

for (const kind of ['pointerdown', 'pointermove', 'wheel', 'keydown']) addEventListener(kind, beginAgain, true)

/** How long nobody has done anything before this page, ms, as far as it was looked; not while it is hidden or a dialog is open. */
export function calmFor() {
  const now = Date.now()
  calm = document.hidden || document.querySelector('dialog[open]') ? 0 : calm + Math.min(now - looked, most)
  looked = now
  return calm
}
