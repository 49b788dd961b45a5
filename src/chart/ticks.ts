/** Round numbers from 0 to the first that reaches `most`, three to six of them. */
export function ticksOf(most: number): readonly number[] {
  const rough = Math.max(most, 1) / 4
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 5, 10].map((one) => one * power).find((one) => one >= rough) ?? power
  const count = Math.max(1, Math.ceil(most / step - 1e-9))
  return Array.from({ length: count + 1 }, (_, at) => Number((at * step).toPrecision(12)))
}
