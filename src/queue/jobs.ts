/** The queues of a project. Queries have one of their own, so that bulk work never delays a person who only asks. */
export const queues = { operation: 'changes', query: 'answers' } as const

/** All that a job holds beside the number of its format. The stored request is the truth; a job is an alarm clock. */
export interface JobData {
  readonly requestId: string
}

/** What a job of these queues is called. */
export const wakeUp = 'advance'
