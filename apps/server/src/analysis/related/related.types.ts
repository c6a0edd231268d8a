export const RELATION_BASES = ['correlation', 'incidents', 'name'] as const;
export type RelationBasis = (typeof RELATION_BASES)[number];
