import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const FACE = 'libs/detection/src/index.js';
const BASELINES_FACE = 'libs/detection/src/baselines/index.js';

/** The detection library of a build. */
export function loadDetection({ dist }) {
  return import(pathToFileURL(join(dist, FACE)).href);
}

/** The baselines of a build, `{ id, run(timestamps, values) }[]`; empty when it has none. */
export async function loadBaselines(task) {
  const { BASELINES } = await loadDetection(task);
  if (BASELINES !== undefined) return BASELINES;
  try {
    return (await import(pathToFileURL(join(task.dist, BASELINES_FACE)).href)).BASELINES ?? [];
  } catch (error) {
    if (error.code === 'ERR_MODULE_NOT_FOUND') return [];
    throw error;
  }
}
