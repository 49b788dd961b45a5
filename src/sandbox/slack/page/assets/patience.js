let calmSince = Date.now()

/** Whoever does something is there, and given the whole time anew; so is whoever has just been told something. */
export function beginAgain() {
  calmSince = Date.now()
}

for (const kind of ['pointerdown', 'pointermove', 'wheel', 'keydown']) addEventListener(kind, beginAgain, true)
document.addEventListener('visibilitychange', beginAgain)

/** How long nobody has done anything before this page, ms; 0 while nobody can see it or a dialog is open. */
export function calmFor() {
  if (document.hidden || document.querySelector('dialog[open]')) beginAgain()
  return Date.now() - calmSince
}
