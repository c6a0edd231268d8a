import { type OpenAPIObject } from '@nestjs/swagger';
import { MEMBER_TEXTS, MEMBER_TEXTS_OF, PARAMETER_TEXTS } from './glossary.js';

type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;
type Parameters = NonNullable<OpenAPIObject['paths'][string]['get']>['parameters'];

/** The part of a schema that is searched for members: references are described where they are used. */
interface Described {
  description?: string;
  $ref?: string;
  properties?: Record<string, Described>;
  items?: Described;
  allOf?: Described[];
  oneOf?: Described[];
  anyOf?: Described[];
}

/** Adds descriptions from the glossary to parameters without one. */
export function describeParameters(parameters: Parameters): void {
  for (const parameter of parameters ?? []) {
    if (!('name' in parameter) || (parameter.description ?? '') !== '') continue;
    const text = PARAMETER_TEXTS[parameter.name];
    if (text !== undefined) parameter.description = text;
  }
}

/** Adds descriptions from the glossary to members of the schemas without one. */
export function describeMembers(schemas: Schemas): void {
  for (const [name, schema] of Object.entries(schemas)) describe(schema, MEMBER_TEXTS_OF[name] ?? {});
}

function describe(schema: Described, own: Readonly<Record<string, string>>): void {
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    describe(member, {});
    const text = own[name] ?? MEMBER_TEXTS[name];
    if ((member.description ?? '') === '' && text !== undefined) member.description = text;
  }
  for (const part of [schema.items ?? [], schema.allOf ?? [], schema.oneOf ?? [], schema.anyOf ?? []].flat()) {
    describe(part, own);
  }
}
