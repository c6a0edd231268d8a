/** The server answers, but cannot be used: settings or server must be changed. The message states how. */
export class JetStreamUnusableError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'JetStreamUnusableError';
  }
}

/** Error code of the JetStream API: not enabled for this account. */
const NOT_ENABLED_FOR_ACCOUNT = 10_039;

/** True for an error whose class the package does not export. */
const isNotEnabled = (error: unknown): boolean => error instanceof Error && error.name === 'JetStreamNotEnabled';

/** True if the server runs without JetStream, or without it for the account of the user. */
export function isSwitchedOff(error: unknown): boolean {
  return isNotEnabled(error) || (error as { code?: unknown } | null)?.code === NOT_ENABLED_FOR_ACCOUNT;
}

export function switchedOff(place: string): JetStreamUnusableError {
  return new JetStreamUnusableError(
    `${place}: JetStream is not enabled there for the account of Plumbline. Start nats-server with -js, or put ` +
      '"jetstream {}" into its configuration (docs/guide/jetstream.md)',
  );
}

export function reasonOf(error: unknown): string {
  if (isNotEnabled(error)) return 'JetStream is not available there';
  return error instanceof Error ? error.message : String(error);
}
