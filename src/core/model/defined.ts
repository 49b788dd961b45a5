type Absent<Fields> = { [Name in keyof Fields]: undefined extends Fields[Name] ? Name : never }[keyof Fields]

type Defined<Fields> = Omit<Fields, Absent<Fields>> & {
  readonly [Name in Absent<Fields>]?: Exclude<Fields[Name], undefined>
}

/** Leaves out the fields that are undefined. */
export function defined<const Fields extends object>(fields: Fields): Defined<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<Fields>
}
