/**
 * Takes a secret out of any text, in the spellings JSON may give it. A text shorter than 8 characters is no secret but
 * a placeholder, and would take ordinary words with it.
 */
export function masker(secret: string): (text: string) => string {
  if (!/^[\x21-\x7e]+$/.test(secret)) {
    throw new Error('PLATFORM_API_KEY must be one word of visible ASCII characters: copy it again from the console.')
  }
  if (secret.length < 8) return (text) => text
  const quoted = JSON.stringify(secret).slice(1, -1)
  const spellings = [secret, quoted, secret.replaceAll('/', '\\/'), quoted.replaceAll('/', '\\/')]
  return (text) => spellings.reduce((masked, spelling) => masked.replaceAll(spelling, '[API key]'), text)
}
