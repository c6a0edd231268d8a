/** Files that name the version, each once. */
export const VERSION_FILES: readonly string[];

/** Every place that names the version; rejects where a file has another number of places than it should have. */
export function versionPlaces(root: string): Promise<{ file: string; version: string }[]>;

/** Writes another version everywhere. */
export function writeVersion(root: string, version: string): Promise<void>;
