/** Pages of the console that messages lead to, for `Links.console(path)`. */
export const ALERT_PATHS = {
  home: '/',
  anomaly: (id: number): string => `/anomaly/${String(id)}`,
  incident: (id: number): string => `/incident/${String(id)}`,
  watcher: (id: number): string => `/watcher/${String(id)}`,
} as const;
