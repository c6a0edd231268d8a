import { type INestApplicationContext } from '@nestjs/common';
import { DiscoveryService, ModulesContainer } from '@nestjs/core';
import { type ParamSchema } from '../../common/validation/param-kind.js';
import { type ParamsClass, paramsOf } from '../../common/validation/param-registry.js';
import { configDescriptionOf } from '../../platform/config-kind/config-kind.decorator.js';
import { type ConfigDescription } from '../../platform/config-kind/config-kind.types.js';

/** JSON Schema, draft 7, which all editors support. */
export type JsonSchema = Readonly<Record<string, unknown>>;

const PLACEHOLDER = {
  type: 'string',
  pattern: '\\$\\{[A-Za-z_]\\w*\\}',
  description: 'Filled in from the environment of `plumbline apply`.',
};
const TO_PLACEHOLDER = { $ref: '#/definitions/placeholder' };
/** Formats of parameters that validators of the draft support. */
const FORMATS = ['uri', 'email', 'date-time'];

/**
 * The schema of configuration documents, for editors: derived from the parameters that validate them. `app` may be one
 * that was created with `preview: true`. The same code gives the same schema, byte for byte.
 */
export function describeConfig(app: INestApplicationContext): JsonSchema {
  const providers = new DiscoveryService(app.get(ModulesContainer, { strict: false })).getProviders();
  const types = new Set(providers.flatMap(({ metatype }) => (typeof metatype === 'function' ? [metatype] : [])));
  const kinds = [...types].flatMap((type) => configDescriptionOf(type) ?? []);
  kinds.sort((one, other) => one.kind.localeCompare(other.kind, 'en'));
  const objects = kinds.flatMap(objectsOf);
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Configuration of Plumbline',
    description: 'An object with a kind, or a list of such objects.',
    anyOf: [...objects.map(({ name }) => refTo(name)), { $ref: '#/definitions/list' }],
    definitions: {
      ...Object.fromEntries(objects.map(({ name, schema }) => [name, schema])),
      list: { type: 'array', items: { anyOf: objects.map(({ name }) => refTo(name)) } },
      placeholder: PLACEHOLDER,
    },
  };
}

interface NamedSchema {
  name: string;
  schema: JsonSchema;
}

const refTo = (name: string): JsonSchema => ({ $ref: `#/definitions/${name}` });

function objectsOf({ kind, says, params }: ConfigDescription): NamedSchema[] {
  if (typeof params === 'function') return [{ name: kind, schema: objectOf(kind, says, params, []) }];
  const { member, standard, classes } = params;
  return [...classes].map(([value, type]) => {
    const chosen = value === standard ? [] : [member];
    return { name: `${kind}.${value}`, schema: objectOf(kind, says, type, chosen) };
  });
}

function objectOf(kind: string, says: string, type: ParamsClass, chosen: readonly string[]): JsonSchema {
  const specs = [...paramsOf(type).values()];
  const members = specs.map(({ name, kind: { schema }, options }) => {
    return [name, { ...describedAs(options.description), ...memberOf(schema(), options.nullable === true) }] as const;
  });
  const required = specs.filter(({ name, options }) => options.required === true || chosen.includes(name));
  return {
    type: 'object',
    description: says,
    properties: { kind: { const: kind, description: says }, ...Object.fromEntries(members) },
    required: ['kind', ...required.map(({ name }) => name)],
    additionalProperties: false,
  };
}

const describedAs = (description: string | undefined): JsonSchema => (description === undefined ? {} : { description });

function memberOf(schema: ParamSchema, isNullable: boolean): JsonSchema {
  const { default: standard, example, nullable: _, ...own } = schema;
  const filled = fillable(own);
  const alternatives = 'anyOf' in filled ? (filled.anyOf as JsonSchema[]) : [filled];
  return {
    ...(isNullable ? { anyOf: [...alternatives, NULL] } : filled),
    ...(standard === undefined ? {} : { default: standard }),
    ...(example === undefined ? {} : { examples: [example] }),
  };
}

/** Plain texts may contain placeholders; the value that distinguishes variants may not. */
function fillable(schema: ParamSchema): JsonSchema {
  const own = inDraft7(schema);
  const isFree = schema.type === 'string' && !('pattern' in own || 'format' in own || 'enum' in own);
  if (isFree || schema.enum?.length === 1) return own;
  return { anyOf: [...((own.anyOf as JsonSchema[] | undefined) ?? [own]), TO_PLACEHOLDER] };
}

const NULL = { type: 'null' };

function inDraft7({ format, items, anyOf, example: _, ...schema }: ParamSchema): JsonSchema {
  return {
    ...schema,
    ...(format !== undefined && FORMATS.includes(format) ? { format } : {}),
    ...(items === undefined ? {} : { items: fillable(items) }),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map(inDraft7) }),
  };
}
