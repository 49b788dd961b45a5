import type { Block, KnownBlock } from '@slack/types'
import type { Chart } from '../../../core/model/answer.ts'

export type AnyBlock = KnownBlock | ChartBlock

/** Not among the types of Slack's own package yet: https://docs.slack.dev/reference/block-kit/blocks/data-visualization-block */
interface ChartBlock extends Block {
  readonly type: 'data_visualization'
  readonly title: string
  readonly chart: object
}

export function barChart({ title, across, unit, categories, series }: Chart): ChartBlock {
  const bars = series.map(({ name, values }) => ({
    name,
    data: categories.map((label, at) => ({ label, value: values[at] ?? 0 })),
  }))
  return {
    type: 'data_visualization',
    title,
    chart: { type: 'bar', series: bars, axis_config: { categories: [...categories], x_label: across, y_label: unit } },
  }
}
