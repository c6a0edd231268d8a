/** The message of any thrown value: a caught value need not be an Error. */
export const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));
