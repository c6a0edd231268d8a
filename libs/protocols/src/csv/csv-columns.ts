/** Headings, in lower case, of a column of times. */
export const TIME_HEADINGS: ReadonlySet<string> = new Set([
  'timestamp',
  'time',
  'ts',
  'ds',
  'date',
  'datetime',
  '_time',
]);

/** Headings, in lower case, of a column of values. */
export const VALUE_HEADINGS: ReadonlySet<string> = new Set(['value', 'y', 'v', '_value']);

/** Headings, in lower case, of columns that name the metric of the values: not values themselves. */
export const NAME_HEADINGS: ReadonlySet<string> = new Set(['metric', 'name', 'tags', 'series']);

/** Lines before the header of a table that InfluxDB 2 writes, by their first cell. */
export const TABLE_ANNOTATIONS: ReadonlySet<string> = new Set(['#group', '#datatype', '#default']);
