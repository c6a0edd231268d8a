import { type PermissionFlags } from '#libs/contracts';
import { type IngestReport, type JsonBody } from '#libs/protocols';
import { type TokenCaller } from '../common/auth/caller.js';

/** What an ingest path answers. */
export interface IngestAnswer {
  status: 200 | 204 | 207 | 400;
  body?: object;
}

/** Of 207, of a 400 of remote write, and of test mode. */
export interface IngestReportBody extends IngestReport {
  code: number;
  error: 'partially_refused';
  message: string;
}

export interface KeyCheckBody {
  code: 200;
  valid: true;
  permissions: PermissionFlags;
}

/** A request whose sender is known and may send; its body is read and decompressed. */
export interface ReceivedBody {
  caller: TokenCaller;
  /** Key of the sender in rate limits. */
  limitKey: string;
  bytes: Uint8Array;
  /** On the JSON path only. */
  json: JsonBody | null;
  /** Nothing is to be stored. */
  test: boolean;
  /** Only the key is to be checked. */
  validateKey: boolean;
  /** The points are history. */
  backfill: boolean;
  /** Unit of timestamps, where the protocol takes one from the query. */
  precision: string | undefined;
}
