/** The start of metric names: the part before the labels. */
export function baseName(name: string, labels: Record<string, string>): string {
  const brace = name.indexOf('{');
  return brace > 0 && Object.keys(labels).length > 0 ? name.slice(0, brace) : name;
}

/** Pages of a list whose rows [first, last] are visible. */
export function pagesOf(first: number, last: number, size: number): number[] {
  const pages: number[] = [];
  for (let page = Math.floor(Math.max(0, first) / size); page <= Math.floor(Math.max(0, last) / size); page++) {
    pages.push(page);
  }
  return pages;
}
