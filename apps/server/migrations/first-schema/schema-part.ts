/** One subject of the first schema: SQL that makes its tables, and SQL that drops them again. */
export interface SchemaPart {
  create: string;
  drop: string;
}
