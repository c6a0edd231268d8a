export type Environment = Readonly<Record<string, string | undefined>>;

/** The process environment: the one place where it is read. */
export const environment = (): Environment => process.env;
