import { fromJsonSchema, type StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { type KnownCaller } from '../../common/auth/caller.js';

/** For whom a tool works. */
export interface ToolCall {
  caller: KnownCaller;
  /** Under which key its requests are counted. */
  limitKey: string;
}

/** What a tool found: the same in few words for a model, and as members for a program. */
export interface ToolAnswer {
  text: string;
  structured: Record<string, unknown>;
}

/** A tool that changes nothing. `run` throws the errors of the API. */
export interface McpTool {
  name: string;
  title: string;
  description: string;
  input: StandardSchemaWithJSON;
  run: (call: ToolCall, given: unknown) => Promise<ToolAnswer>;
}

type JsonSchema = Parameters<typeof fromJsonSchema>[0];

interface ToolDefinition<Given> extends Pick<McpTool, 'name' | 'title' | 'description'> {
  properties: Readonly<Record<string, JsonSchema>>;
  required?: readonly (keyof Given & string)[];
  run: (call: ToolCall, given: Given) => Promise<ToolAnswer>;
}

/** `Given` is what `properties` describe: the SDK holds a call against them before the tool runs. */
export function defineTool<Given extends object>(definition: ToolDefinition<Given>): McpTool {
  const { name, title, description, properties, required = [], run } = definition;
  const schema = { type: 'object', properties, required: [...required], additionalProperties: false };
  return {
    ...{ name, title, description },
    input: fromJsonSchema(schema as JsonSchema),
    run: (call, given) => run(call, given as Given),
  };
}

/** Longest metric name, with what percent-encoding or quotes add. */
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
  description: `At most so many, default ${String(standard)}`,
});

export interface WindowGiven {
  from?: string;
  until?: string;
}
