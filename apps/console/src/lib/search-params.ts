import { SEVERITY_LABELS, type SeverityLabel } from '#libs/contracts';

/** Least severity of each label. */
export const SEVERITY_MIN: Record<SeverityLabel, number> = { critical: 75, major: 50, minor: 25, info: 0 };

/** The label that a parameter of an address names; nothing for anything else, and for `info`, which is all. */
export function severityParam(value: unknown): Exclude<SeverityLabel, 'info'> | undefined {
  const label = SEVERITY_LABELS.find((one) => one === value);
  return label === 'info' ? undefined : label;
}

/** Texts of a list in an address; nothing when there are none. */
export function textsParam(value: unknown): string[] | undefined {
  const texts = (Array.isArray(value) ? value : [value]).filter(
    (text): text is string => typeof text === 'string' && text !== '',
  );
  return texts.length === 0 ? undefined : texts;
}

/** A page of a list, from 2 on; the first one needs no parameter. */
export function pageParam(value: unknown): number | undefined {
  const page = Number(value);
  return Number.isInteger(page) && page > 1 && page < 1_000_000 ? page : undefined;
}

/** The id of a record; nothing for anything else. */
export function idParam(value: unknown): number | undefined {
  const id = Number(value);
  return Number.isSafeInteger(id) && id > 0 && typeof value !== 'boolean' ? id : undefined;
}

/** One of some words; nothing for anything else. */
export function choiceParam<Choice extends string>(choices: readonly Choice[], value: unknown): Choice | undefined {
  return choices.find((choice) => choice === value);
}

/** Without members that are undefined: they would appear in the address. */
export function withoutGaps<Search extends object>(search: Search): Search {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as Search;
}

/** Parameters of every page: a page's own check leaves them alone. */
const OF_EVERY_PAGE: readonly string[] = ['w', 'from', 'until', 'tz'];

/**
 * Wraps the check of a page's parameters for its route. The router keeps members of the address in addition to the
 * result of a check; here, members that the check omits are removed, so that no page gets a value that it does not
 * know.
 */
export function onlyKnown<Search extends object>(check: (raw: Record<string, unknown>) => Search) {
  return (raw: Record<string, unknown>): Search => {
    const unknown = Object.keys(raw).filter((name) => !OF_EVERY_PAGE.includes(name));
    return { ...Object.fromEntries(unknown.map((name) => [name, undefined])), ...check(raw) };
  };
}
