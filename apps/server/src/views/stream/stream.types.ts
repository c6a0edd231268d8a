import { type StreamEventType } from '#libs/contracts';
import { type KnownCaller } from '../../common/auth/caller.js';

/** An event as stored. */
export interface StreamRow {
  /** Increases within the organisation. */
  id: number;
  type: StreamEventType;
  /** Unix seconds. */
  timestamp: number;
  subjectId: number;
  metricId: number | null;
}

/**
 * Reason for the end of a stream: the credential is no longer valid, the client did not read the sent data, or the
 * process stops (another process, or the same one after a restart, can continue).
 */
export type EndReason = 'credential_ended' | 'too_slow' | 'server_stopping';

/** Maximum number of rows that are read, rendered and written at a time: some hundred kilobytes. */
export const PAGE_ROWS = 100;
/** Maximum number of events that a client may be behind; beyond that it has to reload. */
export const MAX_REPLAYED = 1000;

/** Members of an event except its time and organisation. */
export type Payload = object;

/** Describes the existing subjects that the caller may see, by id. */
export type Describe = (caller: KnownCaller, ids: readonly number[]) => Promise<ReadonlyMap<number, Payload>>;
