import type { Member } from './policy.ts'

/** Texts, and whoever they speak of between them. */
export type Told = readonly (string | Member)[]
