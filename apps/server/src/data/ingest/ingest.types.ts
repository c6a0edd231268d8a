import { type PermissionFlags } from '#libs/contracts';
import { type IngestReport, type JsonBody, type JsonSwitches } from '#libs/protocols';
import { type TokenCaller } from '../../common/auth/caller.js';

/** The answer of an ingest path. */
export interface IngestAnswer {
  status: 200 | 204 | 207 | 400;
  /** An object is sent as JSON, bytes as `contentType`. */
  body?: object;
  contentType?: string;
  headers?: Readonly<Record<string, string>>;
}

/** The body of a 207, of a 400 of remote write, and in test mode. */
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

/** The owner of the points. */
export interface PointSender {
  caller: Pick<TokenCaller, 'org'>;
  /** Key of the sender in rate limits. */
  limitKey: string;
}

/** The sender of a request. */
export interface Sender extends PointSender {
  caller: TokenCaller;
  /**
   * Checks again whether the sender may send: receiving a body takes time, and its organisation or token may be deleted
   * in the meantime.
   * @throws IngestTokenMissingError, TokenExpiredError, PermissionDeniedError, PointsNotStoredError
   */
  recheck(): Promise<void>;
}

/** A request whose sender is known and may send; its body is read and decompressed. */
export interface ReceivedBody extends Sender {
  /** Empty after `release` was called. */
  bytes: Uint8Array;
  /** Including its parameters. */
  contentType: string;
  /** Only on the JSON path, for bodies that are not large, and until `release`. */
  json: JsonBody | null;
  /** Maximum number of points in the body. */
  maxPoints: number;
  /** The points must not be stored. */
  test: boolean;
  /** The request only checks the key. */
  validateKey: boolean;
  /** The points are history. */
  backfill: boolean;
  /** The value of a query parameter; undefined if it is absent, empty or repeated. */
  parameter(name: string): string | undefined;
  /** Applies the members of a JSON body. @throws PermissionDeniedError */
  applySwitches(switches: JsonSwitches): void;
  /** Releases the bytes: the points are extracted, and the wait for the disk uses only the memory of the points. */
  release(): void;
}
