/** The class of `@Params()` for calls without parameters. */
// eslint-disable-next-line @typescript-eslint/no-extraneous-class -- what it declares is that there is nothing
export class NoParams {}
