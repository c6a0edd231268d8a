/** Why a service did not take a message. */
export class ChannelError extends Error {
  constructor(
    /**
     * `never`: this message, whatever is tried (a recipient that does not exist); `gone`: the way itself is closed for good
     * (HTTP 410, a token that was revoked); `later`: it may work when tried again.
     */
    readonly kind: 'never' | 'gone' | 'later',
    /** For people, without secrets and addresses. */
    reason: string,
    /** As the service has asked for (Retry-After); null: it did not. */
    readonly retryAfterSeconds: number | null = null,
  ) {
    super(reason);
    this.name = new.target.name;
  }
}
