/** Maximum length of a metric name, including percent-encoding or quotes. */
const MAX_METRIC_CHARACTERS = 1100;

const MAX_TIME_CHARACTERS = 40;

/** Input members that several tools have. */
export const METRIC_INPUT = {
  type: 'string',
  minLength: 1,
  maxLength: MAX_METRIC_CHARACTERS,
  description: 'Name of a metric with its labels, or `id:` and its number',
} as const;

export const WINDOW_INPUT = {
  from: {
    type: 'string',
    maxLength: MAX_TIME_CHARACTERS,
    description:
      'Start, RFC 3339; without offset in the time zone of the organisation. Default: 24 hours before `until`',
  },
  until: { type: 'string', maxLength: MAX_TIME_CHARACTERS, description: 'End, RFC 3339. Default: now' },
} as const;

export const FILTER_INPUT = {
  type: 'array',
  minItems: 1,
  maxItems: 20,
  items: { type: 'string', minLength: 1, maxLength: 200 },
  description:
    'Only metrics for which all of these hold: `label:value`, a part of the name, with `-` in front the opposite',
} as const;

export const ID_INPUT = { type: 'integer', minimum: 1, maximum: 2_147_483_647 } as const;

export const listOf = (values: readonly string[], description: string) => ({
  type: 'array' as const,
  uniqueItems: true,
  maxItems: values.length,
  items: { type: 'string' as const, enum: [...values] },
  description,
});

export const limitOf = (standard: number, maximum: number) => ({
  type: 'integer' as const,
  minimum: 1,
  maximum,
  description: `Maximum number, default ${String(standard)}`,
});
