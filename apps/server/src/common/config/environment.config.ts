export type Environment = Readonly<Record<string, string | undefined>>;

/** The process environment: the only place where it is read. */
export const environment = (): Environment => process.env;
