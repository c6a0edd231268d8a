import { type ServiceSettings } from '../services.types.js';
import { ANOMALY_EVENTS, INCIDENT_EVENTS, WEBHOOK_EVENTS } from './webhook.service-definition.js';

type Choice = Pick<ServiceSettings['webhook'], 'events' | 'payload'>;

const isAmong = (types: readonly string[], type: string): boolean => types.includes(type);

/** Whether a receiver gets messages of a type; what cannot be chosen, such as a test, is always sent. */
export function isChosen({ events, payload }: Choice, type: string): boolean {
  if (!isAmong(WEBHOOK_EVENTS, type)) return true;
  if (!events.includes(type)) return false;
  // The body of Alertmanager names the anomalies of an incident already.
  const saysThemAnyway = payload === 'alertmanager' && INCIDENT_EVENTS.some((one) => events.includes(one));
  return !(saysThemAnyway && isAmong(ANOMALY_EVENTS, type));
}
