/** Why a service did not accept a message. */
export class ChannelError extends Error {
  constructor(
    /**
     * `never`: this message cannot be delivered (a recipient that does not exist); `gone`: the destination is
     * permanently closed (HTTP 410, a revoked token); `later`: a retry may work.
     */
    readonly kind: 'never' | 'gone' | 'later',
    /** For people, without secrets and addresses. */
    reason: string,
    /** As requested by the service (Retry-After); null if it was not. */
    readonly retryAfterSeconds: number | null = null,
  ) {
    super(reason);
    this.name = new.target.name;
  }
}
