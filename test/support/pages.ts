import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const projectRoot = fileURLToPath(new URL('../..', import.meta.url))

/** A page of the documentation. */
export interface Page {
  readonly path: string
  readonly text: string
}

/** Matches a code block: its indentation, its info string, and its text. */
export const fence = /^( *)```([^\n]*)\n([\s\S]*?)^ *```$/gm

export async function readPages(): Promise<readonly Page[]> {
  const docs = (await readdir(join(projectRoot, 'docs'))).filter((name) => name.endsWith('.md'))
  const paths = ['README.md', 'CHANGELOG.md', 'SECURITY.md', 'src/README.md', ...docs.map((name) => `docs/${name}`)]
  const there = paths.filter((path) => existsSync(join(projectRoot, path)))
  return Promise.all(there.map(async (path) => ({ path, text: await readFile(join(projectRoot, path), 'utf8') })))
}
