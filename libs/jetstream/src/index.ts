export {
  type JetStreamAddress,
  JetStreamUrlError,
  MAX_JETSTREAM_PARTITIONS,
  type NameInUrl,
  parseJetStreamUrl,
  placeOf,
} from './jetstream-url.js';
export { isSwitchedOff, JetStreamUnusableError, reasonOf, switchedOff } from './jetstream.errors.js';
export { connectTo } from './connection.js';
export { rejectAfter } from './reject-after.js';
