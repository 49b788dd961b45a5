import { type Environment, readVariable } from '../../config/env/environment.ts'
import { maskOf } from '../../core/text/redact.ts'
import { Cancelled, type Questions } from './prompts.ts'

/** What init knows so far. */
export type SetupDraft = ReturnType<typeof createDraft>

interface Question {
  /** The variable, which is believed if it is set and passes its test. */
  readonly name: string
  readonly message: string
  /** Left out: what is typed is not shown. */
  readonly suggested?: string
}

/** `ask` is null without a terminal: then nothing is asked, and what is missing or wrong is printed. */
export function createDraft(given: Environment, ask: Questions | null, print: (line: string) => void) {
  const env: Record<string, string | undefined> = { ...given }
  const chosen = new Set<string>()
  const secrets = new Set<string>()
  let failed = false

  /** Prints a line, with every secret masked that was met. */
  function say(line: string): void {
    print(maskOf({ values: [...secrets] })(line))
  }

  /** For what nobody can mend by another answer. */
  function fail(sentence: string): undefined {
    failed = true
    say(`✗ ${sentence}`)
  }

  /** Hands the test what is set, or what is typed until it passes. The test throws a sentence. */
  async function take<Result>(
    { name, message, suggested }: Question,
    test: (value: string) => Promise<Result>,
  ): Promise<Result | undefined> {
    for (let value = readVariable(given, name); ; value = undefined) {
      value ??= await (suggested === undefined ? ask?.secret(message) : ask?.text(message, suggested))
      const typed = value?.trim() ?? ''
      if (suggested === undefined && typed !== '') secrets.add(typed)
      try {
        return await test(typed)
      } catch (error) {
        if (error instanceof Cancelled) throw error
        const sentence = error instanceof Error ? error.message : String(error)
        if (ask === null) return fail(sentence)
        say(`✗ ${sentence}`)
      }
    }
  }

  return {
    ask,
    say,
    fail,
    take,
    /** The variables as they will be. */
    env: env as Environment,
    set(name: string, value: string): void {
      env[name] = value
      chosen.add(name)
    },
    hide: (secret: string) => void secrets.add(secret),
    isFailed: () => failed,
    /** What to write. A value that came from a file of its own stays there. */
    lines: () =>
      [...chosen].map((name): readonly [string, string] => {
        const file = given[`${name}_FILE`]?.trim()
        const isFromFile = file && !given[name]?.trim() && readVariable(given, name) === env[name]
        return isFromFile ? [`${name}_FILE`, file] : [name, env[name] ?? '']
      }),
  }
}
