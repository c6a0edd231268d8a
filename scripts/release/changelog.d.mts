/** What changed since the last release; empty when nothing did. */
export function unreleased(text: string): string;

/** What a release changed; undefined when there is no such release. */
export function sectionOf(text: string, version: string): string | undefined;

/** The version of the newest release; undefined when there was none. */
export function newestRelease(text: string): string | undefined;

/** Makes a release (`date`: YYYY-MM-DD) of what is unreleased, and an empty list for what comes next. */
export function cut(text: string, version: string, date: string): string;
