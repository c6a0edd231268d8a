export { type StateObjects, StateObjectsUnavailableError, StateObjectsLostError } from './state-objects.js';
export { type JetStreamStateObjects, type StateObjectsOptions } from './jetstream-state-objects.js';
export { BUCKET_IN_URL, openStateObjects } from './open.js';
