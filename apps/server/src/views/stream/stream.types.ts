import { type StreamEventType } from '#libs/contracts';

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
 * Why a stream ends: the credential is not valid any more, the client did not take what it was sent, or the process
 * stops and another one, or the same a little later, goes on.
 */
export type EndReason = 'credential_ended' | 'too_slow' | 'server_stopping';

/** Rows that are read, rendered and written at a time: some hundred kilobytes. */
export const PAGE_ROWS = 100;
/** A client that is further behind has to reload. */
export const MOST_REPLAYED = 1000;
