import { type JsonObject, objectAt, objectsAt } from '../json.ts'
import { id } from './composition.ts'
import { byType, type Check, list, object, oneOf, problem, text } from './shape.ts'

const number: Check = (value, at) => (typeof value === 'number' ? [] : [problem('must be a number', at)])
const point = object({ label: text(20), value: number })
const overCategories = (type: string): Check =>
  object(
    {
      type: oneOf(type),
      series: list(object({ name: text(20), data: list(point, 20) }), 6),
      axis_config: object({ categories: list(text(20), 20) }, { x_label: text(50), y_label: text(50) }),
    },
    {},
    ofItsCategories,
  )

/** https://docs.slack.dev/reference/block-kit/blocks/data-visualization-block */
export const dataVisualization = object(
  {
    type: oneOf('data_visualization'),
    title: text(50),
    chart: byType({
      bar: overCategories('bar'),
      line: overCategories('line'),
      area: overCategories('area'),
      pie: object({ type: oneOf('pie'), segments: list(point, 6) }),
    }),
  },
  { block_id: id },
)

function ofItsCategories(chart: JsonObject, at: string): readonly string[] {
  const categories = JSON.stringify(objectAt(chart, 'axis_config')?.['categories'])
  const series = objectsAt(chart, 'series')
  const names = series.map(({ name }) => name)
  return [
    ...(new Set(names).size < names.length ? [problem('series names must be unique', at)] : []),
    ...series
      .filter((one) => JSON.stringify(objectsAt(one, 'data').map(({ label }) => label)) !== categories)
      .map(() => problem('data labels must match the categories', at)),
  ]
}
