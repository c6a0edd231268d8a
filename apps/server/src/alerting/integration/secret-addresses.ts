import { type ErrorDetail } from '#libs/contracts';
import { isMasked } from '../../common/secrets/secrets.js';
import { type Given } from './given-values.js';
import { type ServiceDefinition, type StoredValues } from './service-definition.types.js';
import { type AnyField, type FieldValue } from './service-fields.types.js';

/**
 * The destination of the secrets of a service, as a text that is equal for equal addresses. Without its own address it
 * is the default address, or `none`.
 */
export function addressOf({ orgFields }: ServiceDefinition, values: StoredValues): string {
  const parts = Object.entries(orgFields).filter(([, field]) => isOfAddress(field));
  const named = parts.map(([name, field]) => [name, normalised(field, values[name] ?? field.default)] as const);
  const leads = named.some(([name, value]) => value !== null && orgFields[name]!.leadsTo !== null);
  return leads ? JSON.stringify(named) : 'none';
}

/** Secrets that go to the address of the service; an address that is itself a secret is not among them. */
export const boundSecrets = ({ orgFields }: ServiceDefinition): string[] =>
  Object.values(orgFields).some(isOfAddress)
    ? Object.keys(orgFields).filter((name) => orgFields[name]!.type === 'secret' && orgFields[name]!.leadsTo === null)
    : [];

/**
 * Removes stored secrets from a change that leads the service to another address: a secret that was entered for one
 * receiver is not sent to the next one. A secret is kept when it is given again; one that the service makes by itself
 * is made again.
 * @param wanted all values after the change, the stored secrets still among them
 * @returns the values that may be stored, and `secret_needed` for each secret that is removed and must be given again
 */
export function withoutSecretsOfOtherAddress(
  service: ServiceDefinition,
  { before, wanted, given }: { before: StoredValues; wanted: StoredValues; given: Given },
): { values: StoredValues; details: ErrorDetail[] } {
  const address = addressOf(service, wanted);
  if (address === addressOf(service, before)) return { values: wanted, details: [] };
  const values: Record<string, FieldValue> = { ...wanted };
  const details: ErrorDetail[] = [];
  for (const name of service.ownSecrets ?? []) Reflect.deleteProperty(values, name);
  for (const name of boundSecrets(service)) {
    const sent = given[name];
    const isGiven = sent !== undefined && !(typeof sent === 'string' && isMasked(sent));
    if (isGiven || before[name] === undefined) continue;
    Reflect.deleteProperty(values, name);
    if (address === 'none' || service.generatedSecrets?.includes(name) === true) continue;
    const message = `${name} was stored for another address and is removed; give it again`;
    details.push({ field: name, code: 'secret_needed', message });
  }
  return { values, details };
}

const isOfAddress = ({ leadsTo, type, isAddressPart }: AnyField): boolean =>
  isAddressPart || (leadsTo !== null && type !== 'secret');

function normalised({ leadsTo }: AnyField, value: FieldValue | null): FieldValue | null {
  if (typeof value !== 'string') return value;
  if (leadsTo === 'url') return URL.canParse(value) ? new URL(value).href : value;
  return leadsTo === 'host' ? value.toLowerCase() : value;
}
