/** A part of a path; empty: all of them. The walks of a generated area (scripts/check-area-template.mjs) keep to its own. */
const PART = process.env.PLUMBLINE_WALK_PATHS ?? '';

/** Whether a walk over all calls of the API looks at this path. */
export const isWalked = (path: string): boolean => path.includes(PART);

/** Whether it looks at all of them. */
export const WALKS_ALL = PART === '';
