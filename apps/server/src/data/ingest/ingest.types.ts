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
   * Checks again whether it may send: a body takes time, and its organisation or token may be deleted in the meantime.
   * @throws IngestTokenMissingError, TokenExpiredError, PermissionDeniedError, PointsNotStoredError
   */
  recheck(): Promise<void>;
}

/** A request whose sender is known and may send; its body is read and decompressed. */
export interface ReceivedBody extends Sender {
  /** Empty once `release` was called. */
  bytes: Uint8Array;
  /** With its parameters. */
  contentType: string;
  /** On the JSON path only, of bodies that are not large, and until `release`. */
  json: JsonBody | null;
  /** Points that the body may have. */
  maxPoints: number;
  /** Nothing is to be stored. */
  test: boolean;
  /** Only the key is to be checked. */
  validateKey: boolean;
  /** The points are history. */
  backfill: boolean;
  /** The value of a query parameter; undefined if it is absent, empty or repeated. */
  parameter(name: string): string | undefined;
  /** Applies the members of a JSON body. @throws PermissionDeniedError */
  applySwitches(switches: JsonSwitches): void;
  /** Lets go of the bytes: the points are out, and waiting for the disk takes no more memory than they need. */
  release(): void;
}
