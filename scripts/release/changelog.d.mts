/** What changed since the last release; empty when nothing did. */
export function unreleased(text: string): string;

/** The version of the newest release; undefined when there was none. */
export function newestRelease(text: string): string | undefined;

/** Makes a release (`date`: YYYY-MM-DD) of what is unreleased, and an empty list for what comes next. */
export function cut(text: string, version: string, date: string): string;

/** The text of a release: its section of the changelog, and what docs/guide/upgrading.md asks of operators. */
export function releaseNotes(changelog: string, upgrading: string, version: string): string;
