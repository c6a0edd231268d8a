import { type ParamsClass, paramsOf } from '../../common/validation/param-registry.js';
import { type ConfigDescription, type ConfigFields } from './config-kind.types.js';

/** The class of the members of an object; undefined if its variant is unknown. */
export function paramsClassOf({ params }: ConfigDescription, fields: ConfigFields): ParamsClass | undefined {
  if (typeof params === 'function') return params;
  const variant = fields[params.member] ?? params.standard;
  return typeof variant === 'string' ? params.classes.get(variant) : undefined;
}

/** True if an empty list or object of a member is meaningful, because the default is not empty. */
export function isEmptyMeant(description: ConfigDescription, fields: ConfigFields, member: string): boolean {
  const type = paramsClassOf(description, fields);
  const standard = type && paramsOf(type).get(member)?.kind.schema().default;
  return typeof standard === 'object' && standard !== null && Object.keys(standard).length > 0;
}
