import { TYPE_SOURCES, type TypeSource } from './metric-registry.types.js';

/** Place of a source in the order of strength. */
export const rankOf = (source: TypeSource): number => TYPE_SOURCES.indexOf(source);
