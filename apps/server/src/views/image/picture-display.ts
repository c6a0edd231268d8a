/** The effective values of the named parameters, for clients that draw by themselves. */
export function displayOf<Params extends object, Name extends keyof Params>(
  query: Params,
  names: readonly Name[],
): Pick<Params, Name> {
  return Object.fromEntries(names.map((name) => [name, query[name]])) as Pick<Params, Name>;
}

/** Converts points of an answer to the columns of a chart; missing values are NaN. */
export const columnsOf = (
  points: readonly (readonly [timestamp: number, value: number | null])[],
): { timestamps: Float64Array; values: Float64Array } => ({
  timestamps: Float64Array.from(points, ([timestamp]) => timestamp),
  values: Float64Array.from(points, ([, value]) => value ?? NaN),
});
