import type { Block } from '@slack/types'
import type { Chart } from '../../../core/model/query-answer.ts'
import type { Language, Words } from '../../../core/model/words.ts'
import { asText } from '../../../core/words/render.ts'

/** Not yet in `@slack/types`: https://docs.slack.dev/reference/block-kit/blocks/data-visualization-block */
export interface ChartBlock extends Block {
  readonly type: 'data_visualization'
  readonly title: string
  readonly chart: object
}

export function barChart({ title, across, unit, categories, series }: Chart, language: Language): ChartBlock {
  const read = (words: Words) => asText(words, language)
  const labels = categories.map(read)
  const bars = series.map(({ name, values }) => ({
    name: read(name),
    data: labels.map((label, at) => ({ label, value: values[at] ?? 0 })),
  }))
  return {
    type: 'data_visualization',
    title: read(title),
    chart: {
      type: 'bar',
      series: bars,
      axis_config: { categories: labels, x_label: read(across), y_label: read(unit) },
    },
  }
}
