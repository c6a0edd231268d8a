import { type NameInUrl } from '#libs/jetstream';
import { type JetStreamStateObjects, type StateObjectsOptions } from './jetstream-state-objects.js';

/** How an address names the buckets. */
export const BUCKET_IN_URL: NameInUrl = { parameter: 'bucket', byDefault: 'plumbline-state' };

/** As JetStreamStateObjects.open. The client of NATS is loaded by those alone who use it. */
export async function openStateObjects(options: StateObjectsOptions): Promise<JetStreamStateObjects> {
  const { JetStreamStateObjects: adapter } = await import('./jetstream-state-objects.js');
  return adapter.open(options);
}
