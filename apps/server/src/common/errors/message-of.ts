/** The words of whatever was thrown: what is caught need not be an Error. */
export const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));
