import { contextLine, type Message } from './blocks.ts'
import type { AnyBlock } from './chart.ts'

/** A block's id that says of which project it is, wherever it stands. */
export function idIn(project: string, block: string): string {
  return `project:${project}:${block}`
}

/** The project of a block with such an id. */
export function projectIn(block: string): string | undefined {
  return /^project:([a-z0-9-]{1,32}):/.exec(block)?.[1]
}

/** The same blocks, whose buttons reach this project: the channel they are pressed in may be another's by then. */
export function tagWithProject(project: string, blocks: readonly AnyBlock[]): readonly AnyBlock[] {
  return blocks.map((block, at) => {
    const hasButtons = block.type === 'actions' || (block.type === 'section' && block.accessory !== undefined)
    return hasButtons && block.block_id === undefined ? { ...block, block_id: idIn(project, `${at}`) } : block
  })
}

/** A message of a project; `named`: it stands where people could take it for another's. */
export function ofProject(project: string, { text, blocks }: Message, named: boolean): Message {
  const whole = tagWithProject(project, blocks)
  return named
    ? { text: `${text} (project ${project})`, blocks: [...whole, contextLine(`Project ${project}`)] }
    : { text, blocks: whole }
}
