import { h } from './dom.js'
import { drawElement } from './elements.js'
import { drawInput } from './inputs.js'
import { drawNodes, plainOf } from './nodes.js'

/** Draws the blocks of a message or view. `surface` is where they are: `{ channel, ts }` or `{ view, values }`. */
export function drawBlocks(blocks, surface) {
  return h(
    'div',
    { class: 'blocks' },
    blocks.map((block) => drawBlock(block, surface)),
  )
}

const drawings = {
  section: drawSection,
  header: (block) => h('h3', { class: 'block-header' }, plainOf(block.text)),
  divider: () => h('hr', { class: 'block-divider' }),
  context: (block) =>
    h(
      'div',
      { class: 'block-context' },
      block.elements.map((one) => (one.type === 'image' ? drawImage(one) : text(one))),
    ),
  actions: (block, surface) =>
    h(
      'div',
      { class: 'block-actions' },
      block.elements.map((one) => drawElement(one, block, surface)),
    ),
  image: (block) =>
    h('figure', { class: 'block-image' }, block.title && h('figcaption', {}, plainOf(block.title)), drawImage(block)),
  rich_text: (block) => h('div', { class: 'mrkdwn' }, drawNodes(block.nodes)),
  input: drawInput,
  alert: (block) =>
    h('div', { class: `block-alert alert-${block.level ?? 'default'}`, role: 'note' }, text(block.text)),
  data_visualization: drawChart,
}

function drawBlock(block, surface) {
  const draw = drawings[block.type]
  return draw ? draw(block, surface) : h('div', { class: 'block-unknown' }, `A block of type “${block.type}”`)
}

function drawSection(block, surface) {
  return h(
    'div',
    { class: 'block-section' },
    h(
      'div',
      { class: 'section-main' },
      block.text && text(block.text),
      block.fields && h('div', { class: 'fields' }, block.fields.map(text)),
    ),
    block.accessory &&
      h(
        'div',
        { class: 'accessory' },
        block.accessory.type === 'image' ? drawImage(block.accessory) : drawElement(block.accessory, block, surface),
      ),
  )
}

function drawImage(image) {
  return h('img', { src: image.image_url ?? '', alt: image.alt_text ?? '', loading: 'lazy' })
}

/** Draws bars side by side in each category, scaled to the highest value; a bar shows its value on hover. */
function drawChart({ title, chart }) {
  const { series, axis_config: axis } = chart
  const highest = Math.max(1, ...series.flatMap(({ data }) => data.map(({ value }) => value)))
  function bar({ name, data }, at, nth) {
    const { value } = data[at]
    const drawn = h('div', { class: `bar series-${nth}`, title: `${axis.categories[at]}, ${name}: ${value}` })
    // The page's content security policy forbids style attributes.
    drawn.style.height = `${(Math.max(0, value) / highest) * 100}%`
    return drawn
  }
  const said = series.map(
    ({ name, data }) => `${name}: ${data.map(({ label, value }) => `${label} ${value}`).join(', ')}`,
  )
  return h(
    'figure',
    { class: 'block-chart', role: 'img', 'aria-label': `${title}. ${said.join('. ')}` },
    h('figcaption', {}, title),
    h(
      'div',
      { class: 'chart-series' },
      series.map(({ name }, nth) => h('span', { class: `series-name series-${nth}` }, name)),
    ),
    h('div', { class: 'chart-scale' }, `0–${Math.ceil(highest)} ${axis.y_label ?? ''}`),
    h(
      'div',
      { class: 'chart-bars' },
      axis.categories.map((label, at) =>
        h(
          'div',
          { class: 'chart-category' },
          h(
            'div',
            { class: 'chart-column' },
            series.map((one, nth) => bar(one, at, nth)),
          ),
          h('div', { class: 'chart-label' }, label),
        ),
      ),
    ),
    axis.x_label && h('div', { class: 'chart-scale' }, axis.x_label),
  )
}

function text(object) {
  return h('div', { class: 'mrkdwn' }, drawNodes(object.nodes))
}
