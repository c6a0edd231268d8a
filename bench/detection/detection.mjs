import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const FACE = 'libs/detection/src/index.js';
/** Modules that may contain the baselines, in this build or in older builds that are given for a comparison. */
const BASELINES_FACES = ['libs/baselines/src/index.js', 'libs/evaluation/src/index.js', FACE];

const load = (dist, face) => import(pathToFileURL(join(dist, face)).href);

/** The detection library of a build. */
export function loadDetection({ dist }) {
  return load(dist, FACE);
}

/** The baselines of a build, `{ id, run(timestamps, values) }[]`; empty if it has none. */
export async function loadBaselines({ dist }) {
  for (const face of BASELINES_FACES) {
    try {
      const { BASELINES } = await load(dist, face);
      if (BASELINES !== undefined) return BASELINES;
    } catch (error) {
      if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    }
  }
  return [];
}
