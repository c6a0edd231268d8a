/**
 * The calls of the contract that this version does not serve yet, and nothing else: they answer 501 after the checks
 * that they will have. Serving one means removing its line, and its text in `not-implemented-texts.ts`;
 * test/architecture/contract-routes.spec.ts holds the list and the controllers against the contract.
 */
export interface PendingRoute {
  /** `FETCH`: GET and POST of one fetching call. `OLD_FORM`: GET and POST of an older call that changes something. */
  method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'FETCH' | 'OLD_FORM' | 'OLD_FORM_GET';
  /** Below the API base, or one of the ingest paths. */
  path: string;
  permission: PendingPermission;
  /** A POST that changes nothing. */
  isFetch?: boolean;
  takesPlainText?: boolean;
}

export type PendingPermission =
  | 'none'
  | 'read'
  | 'read*'
  | 'read|write'
  | 'write'
  | 'alert'
  | 'ingest'
  | 'admin'
  | 'alert|admin'
  | 'session'
  | 'session, demo too';

export const NOT_IMPLEMENTED: readonly PendingRoute[] = [];
