/** Where this browser keeps the links of benchmarks that were started in it. */
export const KEPT_LINKS = 'plumbline-benchmarks';

/** Who uses the browser next does not see what was started before. */
export function forgetKeptLinks(): void {
  localStorage.removeItem(KEPT_LINKS);
}
