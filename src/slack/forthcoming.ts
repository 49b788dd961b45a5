import type { KnownBlock } from '@slack/types'
import { instant } from '../domain/instant.ts'
import type { Request } from '../domain/request.ts'
import type { Coming } from '../lifecycle/coming.ts'
import { paragraph, small } from './blocks.ts'
import type { Corner } from './home.ts'
import { shortened } from './instants.ts'
import { noticeIn } from './notice.ts'

/** As many as a person looks through. */
const mostComing = 10

/** What rules and the idle watch will bring about in all projects together, in its order. */
export function forthcoming(corners: readonly Corner[]): readonly KnownBlock[] {
  const all = corners
    .flatMap(({ project, coming, open }) =>
      [...coming.map((one) => ({ ...one, why: '' })), ...open.flatMap(idleIn)].map((one) => ({
        ...one,
        project: corners.length > 1 ? ` (project ${project})` : '',
      })),
    )
    .sort((a, b) => a.at - b.at)
  if (all.length === 0) return []
  const next = all.slice(0, mostComing)
  return [
    ...next.map(({ endpoint, at, want, why, project }) =>
      paragraph({ bold: shortened(endpoint.name, 60) }, `${project}: ${want} ${instant(at)}${why}`),
    ),
    small('All that is laid down: /endpoint schedules'),
  ]
}

/** A stop for idleness of which people have been told. */
function idleIn(request: Request): readonly (Coming & { readonly why: string })[] {
  const { via, endpoint } = request
  const notice = noticeIn(request)
  if (via !== 'idle' || notice === null || endpoint === undefined) return []
  return [{ endpoint, at: notice.due, want: 'down', why: ', since nobody uses it' }]
}
