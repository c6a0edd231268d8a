import { SEVERITY_LABELS, type SeverityLabel } from '#libs/contracts';

/** Minimum severity of each label. */
export const SEVERITY_MIN: Record<SeverityLabel, number> = { critical: 75, major: 50, minor: 25, info: 0 };

/**
 * The label of a severity parameter in an address; undefined for any other value, and for `info`, which includes all.
 */
export function severityParam(value: unknown): Exclude<SeverityLabel, 'info'> | undefined {
  const label = SEVERITY_LABELS.find((one) => one === value);
  return label === 'info' ? undefined : label;
}

/** A list of texts in an address; undefined if there are none. */
export function textsParam(value: unknown): string[] | undefined {
  const texts = (Array.isArray(value) ? value : [value]).filter(
    (text): text is string => typeof text === 'string' && text !== '',
  );
  return texts.length === 0 ? undefined : texts;
}

/** The page of a list, from 2 on; the first one needs no parameter. */
export function pageParam(value: unknown): number | undefined {
  const page = Number(value);
  return Number.isInteger(page) && page > 1 && page < 1_000_000 ? page : undefined;
}

/** The id of a record; undefined for any other value. */
export function idParam(value: unknown): number | undefined {
  const id = Number(value);
  return Number.isSafeInteger(id) && id > 0 && typeof value !== 'boolean' ? id : undefined;
}

/** One of the choices; undefined for any other value. */
export function choiceParam<Choice extends string>(choices: readonly Choice[], value: unknown): Choice | undefined {
  return choices.find((choice) => choice === value);
}

/** Removes members that are undefined: they would appear in the address. */
export function withoutGaps<Search extends object>(search: Search): Search {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as Search;
}

/** Parameters of every page, which the check of a page does not change. */
const OF_EVERY_PAGE: readonly string[] = ['w', 'from', 'until', 'tz'];

/**
 * Wraps the check of the parameters of a page for its route. The router keeps members of the address in addition to the
 * result of a check; here, members that the check omits are removed, so that no page gets an unknown value.
 */
export function onlyKnown<Search extends object>(check: (raw: Record<string, unknown>) => Search) {
  return (raw: Record<string, unknown>): Search => {
    const unknown = Object.keys(raw).filter((name) => !OF_EVERY_PAGE.includes(name));
    return { ...Object.fromEntries(unknown.map((name) => [name, undefined])), ...check(raw) };
  };
}
