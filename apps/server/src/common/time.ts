/** A minute in seconds. */
export const MINUTE = 60;
/** An hour in seconds. */
export const HOUR = 3600;
/** A day in seconds. */
export const DAY = 24 * HOUR;

/** @param seconds Unix seconds, fraction allowed */
export const dateOf = (seconds: number): Date => new Date(seconds * 1000);

/** Unix seconds, whole. */
export const secondsOf = (date: Date): number => Math.floor(date.getTime() / 1000);

/** Unix seconds with the fraction. */
export const exactSecondsOf = (date: Date): number => date.getTime() / 1000;
