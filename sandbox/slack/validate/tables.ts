import { isObject, type Json, type JsonObject, objectAt, objectsAt } from '../json.ts'
import { id } from './composition.ts'
import { richText } from './rich-text.ts'
import { byType, type Check, flag, integer, list, object, oneOf, problem, text } from './shape.ts'

const rawText = object({ type: oneOf('raw_text'), text: text(3000, 0) })
const number: Check = (value, at) => (typeof value === 'number' ? [] : [problem('must be a number', at)])
const rawNumber: Check = object({ type: oneOf('raw_number'), text: text(3000), value: number })
const cell = byType({ raw_text: rawText, raw_number: rawNumber, rich_text: richText })

/** Counted over all cells of a table. */
const mostCharacters = 10_000

export const table = object(
  { type: oneOf('table'), rows: list(list(cell, 20), 100) },
  {
    block_id: id,
    column_settings: list(object({}, { align: oneOf('left', 'center', 'right'), is_wrapped: flag }), 20),
  },
  shortEnough,
)

export const dataTable = object(
  { type: oneOf('data_table'), caption: text(2000), rows: list(list(cell, 20), 101) },
  { block_id: id, page_size: integer(1, 100), row_header_column_index: integer(0, 19) },
  shortEnough,
)

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

function shortEnough(value: JsonObject, at: string): readonly string[] {
  return characters(value['rows']) > mostCharacters
    ? [problem(`table cells must have less than ${mostCharacters + 1} characters in all`, at)]
    : []
}

function characters(value: Json | undefined): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, one: Json) => sum + characters(one), 0)
  if (!isObject(value)) return 0
  const own = typeof value['text'] === 'string' ? value['text'].length : 0
  return own + characters(value['elements'])
}
