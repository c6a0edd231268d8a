/** Pages of the console that messages lead to, for `Links.console(path)`. */
export const ALERT_PATHS = {
  home: '/',
  anomaly: (id: number): string => `/anomaly/${String(id)}`,
  incident: (id: number): string => `/incident/${String(id)}`,
  /** The list of watchers. */
  watchers: '/alerts',
  /** The page where admin alerts are switched off. */
  adminAlerts: '/alerts/admin',
  watcher: (id: number): string => `/watchers/${String(id)}`,
} as const;
