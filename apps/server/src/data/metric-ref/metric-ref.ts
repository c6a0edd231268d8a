import { isNameProblem, parseMetricName } from '#libs/protocols';

/** How callers address a metric: by number (`id:123`), or by name, here in its canonical form. */
export type MetricRef = { id: number } | { name: string };

/** Parses a metric reference. Undefined if the text is neither an id nor a name. */
export function parseMetricRef(text: string): MetricRef | undefined {
  const digits = /^id:(\d+)$/.exec(text.trim())?.[1];
  if (digits !== undefined) {
    const id = Number(digits);
    return Number.isSafeInteger(id) && id > 0 ? { id } : undefined;
  }
  const parsed = parseMetricName(text);
  return isNameProblem(parsed) ? undefined : { name: parsed.name };
}

/** The reference in the form in which callers write it. */
export function metricRefText(ref: MetricRef): string {
  return 'id' in ref ? `id:${String(ref.id)}` : ref.name;
}
