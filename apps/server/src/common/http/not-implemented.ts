/**
 * The calls of the contract that this version does not serve yet, and nothing else: they answer 501 after the checks
 * that they will have. Whoever serves one takes its line away, and its text in `not-implemented-texts.ts`;
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

function route(method: PendingRoute['method'], path: string, permission: PendingPermission): PendingRoute {
  return { method, path, permission };
}

export const NOT_IMPLEMENTED: readonly PendingRoute[] = [
  route('POST', '/config/apply', 'admin'),
  route('FETCH', '/config/export', 'admin'),
  route('FETCH', '/integration/list', 'read'),
  route('FETCH', '/integration/:service_id/orgconfig', 'read'),
  route('FETCH', '/integration/:service_id/orgproperties', 'read'),
  route('PUT', '/integration/:service_id/orgproperties', 'admin'),
  route('FETCH', '/integration/:service_id/userconfig', 'session, demo too'),
  route('FETCH', '/integration/:service_id/userproperties', 'session, demo too'),
  route('PUT', '/integration/:service_id/userproperties', 'session'),
  route('POST', '/integration/:service_id/test', 'admin'),
  route('POST', '/source/test', 'admin'),
  route('POST', '/source', 'admin'),
  route('FETCH', '/source/:source_id', 'read'),
  route('PUT', '/source/:source_id', 'admin'),
  route('DELETE', '/source/:source_id', 'admin'),
  route('FETCH', '/sources', 'read'),
  route('OLD_FORM', '/watcher/create', 'write'),
  route('POST', '/watcher', 'write'),
  { ...route('POST', '/watcher/preview', 'read'), isFetch: true },
  route('POST', '/watcher/threshold', 'write'),
  route('PUT', '/watcher/threshold/:watcher_id', 'write'),
  route('FETCH', '/watcher/:watcher_id', 'read'),
  route('PUT', '/watcher/:watcher_id', 'write'),
  route('DELETE', '/watcher/:watcher_id', 'write'),
  route('OLD_FORM', '/watcher/:watcher_id/delete', 'write'),
  route('OLD_FORM_GET', '/watcher/:watcher_id/undelete', 'write'),
  route('POST', '/watcher/:watcher_id/undelete', 'write'),
  route('OLD_FORM', '/watcher/:watcher_id/update', 'write'),
  route('FETCH', '/watchers/chips', 'read'),
  route('FETCH', '/watchers/list', 'read'),
];
