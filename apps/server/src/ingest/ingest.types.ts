import { type PermissionFlags } from '#libs/contracts';
import { type IngestReport } from '#libs/protocols';

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
