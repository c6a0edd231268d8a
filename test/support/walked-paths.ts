/**
 * Part of a path; empty for all paths. The walks of a generated area (scripts/check-area-template.mjs) are limited to
 * its own.
 */
const PART = process.env.PLUMBLINE_WALK_PATHS ?? '';

/** Whether a walk over all API calls includes this path. */
export const isWalked = (path: string): boolean => path.includes(PART);

/** Whether the walk includes all paths. */
export const WALKS_ALL = PART === '';
