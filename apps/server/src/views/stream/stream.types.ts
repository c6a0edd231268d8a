import { type StreamEventType } from '#libs/contracts';
import { type KnownCaller } from '../../common/auth/caller.js';

/** An event as the table has it. */
export interface StreamRow {
  /** Rises within the organisation. */
  id: number;
  type: StreamEventType;
  /** Unix seconds. */
  timestamp: number;
  subjectId: number;
  metricId: number | null;
}

/**
 * Why a stream ends: the credential is no longer valid, the client did not read the sent data, or the process stops and
 * another one, or the same a little later, continues.
 */
export type EndReason = 'credential_ended' | 'too_slow' | 'server_stopping';

/** Rows that are read, rendered and written at a time: some hundred kilobytes. */
export const PAGE_ROWS = 100;
/** A client that is further behind has to reload. */
export const MAX_REPLAYED = 1000;

/** Members of an event apart from its time and organisation. */
export type Payload = object;

/** Describes the subjects that are there and that the caller may see, by id. */
export type Describe = (caller: KnownCaller, ids: readonly number[]) => Promise<ReadonlyMap<number, Payload>>;
