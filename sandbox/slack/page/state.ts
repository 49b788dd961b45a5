import type { JsonObject } from '../json.ts'
import type { Message } from '../message.ts'
import type { Control } from '../options.ts'
import { modalsOf } from '../views/stack.ts'
import { type Channel, directChannel, type Person, type Workspace } from '../workspace.ts'
import { shownMessage, shownView } from './show.ts'

/**
 * Returns everything that the page needs to draw the workspace for one person. As in Slack, ephemeral messages are gone
 * after a reload: those from before `since` (ms since 1970, by the sandbox's clock) are not included.
 */
export function stateFor(
  workspace: Workspace,
  viewer: Person,
  controls: readonly Control[],
  since: number,
): JsonObject {
  const { settings } = workspace
  const direct = directChannel(workspace, viewer.id)
  const channels = [...workspace.channels.values()].filter((c) => c.members.has(viewer.id))
  return {
    team: settings.team.name,
    me: { id: viewer.id, name: viewer.name, tz: viewer.tz },
    people: [...workspace.people.values()].filter((p) => !p.bot && !p.deleted).map(shownPerson),
    app: { id: settings.app.botUserId, name: settings.app.name, channel: direct.id },
    channels: channels.filter((c) => c.kind !== 'im').map((c) => shownChannel(workspace, c)),
    commands: settings.commands.map(({ command, usageHint, description }) => ({
      command,
      usageHint: usageHint ?? '',
      description: description ?? '',
    })),
    shortcuts: settings.shortcuts.map(({ callbackId, name }) => ({ callbackId, name })),
    controls: controls.map(({ label, group, isOn, offered }, index) => ({
      index,
      label,
      group: group ?? 'Outside',
      switches: isOn !== undefined,
      offers: offered !== undefined,
    })),
    tour: settings.tour.steps.map(({ title, text, acts }) => ({
      title,
      text,
      acts: acts.map(({ done, ...act }) => ({ ...act, isTold: done !== undefined })),
    })),
    ...clockFor(workspace, controls),
    messages: channels
      .flatMap((c) =>
        (workspace.messages.get(c.id) ?? []).filter(
          (m) => isFor(workspace, viewer, m) && (m.ephemeralTo === undefined || Number(m.ts) * 1_000 >= since),
        ),
      )
      .map((m) => shownMessage(workspace, viewer, m)),
    ...viewsFor(workspace, viewer),
  }
}

interface ClockState {
  /** The current step of the tour, from 0; the number of its steps once it is done. */
  readonly step: number
  /** Indexes of the acts of this step that are done. */
  readonly acted: number[]
  readonly plight: { readonly text: string; readonly isOver: boolean } | null
  readonly now: number
  readonly on: number[]
  readonly offered: { readonly index: number; readonly why: string; readonly by: number | null }[]
}

/** Returns the sandbox's time, the switches that are on, the offered controls, and the tour's progress. */
export function clockFor(workspace: Workspace, controls: readonly Control[]): ClockState {
  const { settings } = workspace
  const { steps } = settings.tour
  for (let step = steps[workspace.tourStep]; step?.done() === true; step = steps[workspace.tourStep]) {
    workspace.tourStep += 1
    step.over?.()
  }
  return {
    step: workspace.tourStep,
    acted: [...(steps[workspace.tourStep]?.acts.entries() ?? [])].flatMap(([at, { done }]) => (done?.() ? [at] : [])),
    plight: settings.plight() ?? null,
    now: settings.clock.now(),
    on: [...controls.keys()].filter((index) => controls[index]?.isOn?.() === true),
    offered: controls.flatMap(({ offered, by }, index) => {
      const why = offered?.()
      return why === undefined ? [] : [{ index, why, by: by?.() ?? null }]
    }),
  }
}

export function viewsFor(workspace: Workspace, viewer: Person): JsonObject {
  const home = workspace.homes.get(viewer.id)
  return {
    modals: modalsOf(workspace, viewer.id).map((view) => shownView(workspace, viewer, view)),
    home: home ? shownView(workspace, viewer, home) : null,
  }
}

/** Whether a person may see a message; a deleted one counts, and is shown as deleted. */
export function isFor(workspace: Workspace, viewer: Person, message: Message): boolean {
  const member = workspace.channels.get(message.channel)?.members.has(viewer.id) ?? false
  return member && (message.ephemeralTo === undefined || message.ephemeralTo === viewer.id)
}

function shownPerson({ id, name, realName, title, guest }: Person): JsonObject {
  return { id, name, realName: realName ?? name, title: title ?? (guest ? 'guest' : '') }
}

function shownChannel({ settings, people }: Workspace, channel: Channel): JsonObject {
  return {
    id: channel.id,
    name: channel.name,
    kind: channel.kind,
    topic: channel.topic,
    archived: channel.archived,
    members: [...channel.members].filter((id) => !people.get(id)?.bot).length,
    hasApp: channel.members.has(settings.app.botUserId),
  }
}
