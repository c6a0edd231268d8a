/**
 * A time in a title, including its day if it is another one: `23:50`, `Tue 23:50`, `12 Oct 23:50`, `12 Oct 2025 23:50`.
 */
const TIME = String.raw`(?:[A-Z][a-z]{2} |\d{1,2} [A-Z][a-z]{2,3} (?:\d{4} )?)?\d\d:\d\d`;
const TIMES = new RegExp(` (?:since ${TIME}|at ${TIME}|from ${TIME} to ${TIME})(?=, first: |$)`);

/**
 * The title without its times, because these are in the zone of the organisation, while pages show times in the zone of
 * the page.
 */
export const titleWithoutTimes = (title: string): string => title.replace(TIMES, '');
