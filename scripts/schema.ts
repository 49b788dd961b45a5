import { readFileSync, writeFileSync } from 'node:fs'
import { editorSchema } from '../src/config/policy-file/schema.ts'

/** Writes the policy file's JSON Schema for editors. With `--check`, only fails if the stored one is outdated. */
const file = new URL('../generated/lamplighter.schema.json', import.meta.url)
const text = editorSchema()

if (!process.argv.includes('--check')) writeFileSync(file, text)
else if (readFileSync(file, 'utf8') !== text) {
  console.error('generated/lamplighter.schema.json is not what the policy file takes. Run: npm run generate')
  process.exitCode = 1
}
