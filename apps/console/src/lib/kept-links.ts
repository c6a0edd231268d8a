/** Storage key of the links of benchmarks that were started in this browser. */
export const KEPT_LINKS = 'plumbline-benchmarks';

/** The next user of the browser does not see earlier benchmarks. */
export function forgetKeptLinks(): void {
  localStorage.removeItem(KEPT_LINKS);
}
