const TIMES = / (?:since \d\d:\d\d|from \d\d:\d\d to \d\d:\d\d)(?=, first: |$)/;

/** The title without its times of day, which are those of the organisation: pages show them in the zone of the page. */
export const titleWithoutTimes = (title: string): string => title.replace(TIMES, '');
