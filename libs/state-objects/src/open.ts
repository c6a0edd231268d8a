import { type NameInUrl } from '#libs/jetstream';
import { type JetStreamStateObjects, type StateObjectsOptions } from './jetstream-state-objects.js';

/** How an address names the buckets. */
export const BUCKET_IN_URL: NameInUrl = { parameter: 'bucket', byDefault: 'plumbline-state' };

/** Same as JetStreamStateObjects.open, but loads the client of NATS only when it is used. */
export async function openStateObjects(options: StateObjectsOptions): Promise<JetStreamStateObjects> {
  const { JetStreamStateObjects: adapter } = await import('./jetstream-state-objects.js');
  return adapter.open(options);
}
