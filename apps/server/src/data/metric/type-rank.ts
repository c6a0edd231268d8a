import { TYPE_SOURCES, type TypeSource } from './metric-registry.types.js';

/** Rank of a source by its strength. */
export const rankOf = (source: TypeSource): number => TYPE_SOURCES.indexOf(source);
