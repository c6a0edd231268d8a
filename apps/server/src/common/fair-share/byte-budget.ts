/** Limits of the held bytes. */
export interface ByteBudgetLimits {
  /** Total number of bytes. */
  limitBytes: number;
  /** Share of them, 0 to 1, for senders without a valid credential yet. */
  unauthenticatedShare: number;
}

/**
 * A party may hold this many times the bytes that it leaves free: one alone gets two thirds of the budget, two get two
 * fifths each, and there is always room for another one. No fixed share is reserved and left unused.
 */
const TIMES_FREE = 2;

/**
 * Limits the bytes of all open bodies, so that many senders together cannot use more memory than the operator allows,
 * and one of them cannot use the share of others. The only body of a party may use the rest of the budget. If there is
 * a single body, it gets what it needs: it could never be accepted otherwise, and its size has a separate limit.
 */
export class ByteBudget {
  private readonly limits: ByteBudgetLimits;
  private readonly heldBy = new Map<string, number>();
  private held = 0;
  private heldByUnauthenticated = 0;

  constructor(limits: ByteBudgetLimits) {
    this.limits = limits;
  }

  /** Bytes held at this moment. */
  get heldBytes(): number {
    return this.held;
  }

  /** Bytes held by the largest party; 0 if none are held. */
  get largestHeldBytes(): number {
    return Math.max(0, ...this.heldBy.values());
  }

  /** The parties that hold bytes, the largest first. */
  get holders(): [party: string, bytes: number][] {
    return [...this.heldBy].sort(([, one], [, other]) => other - one);
  }

  /**
   * Opens the share of one body, which is empty at first. It must be released, whatever happens to the body.
   * @param party the party that is limited: the address of a stranger, later (`identified`) an organisation
   */
  open(party: string): ByteShare {
    return new ByteShare(this, party);
  }

  /** Only for ByteShare: true if a body that holds `own` bytes may hold `bytes` more. */
  hasRoomFor(bytes: number, own: number, party: string, isUnauthenticated: boolean): boolean {
    const { limitBytes, unauthenticatedShare } = this.limits;
    if (exceeds(this.held, bytes, own, limitBytes)) return false;
    if (isUnauthenticated && exceeds(this.heldByUnauthenticated, bytes, own, limitBytes * unauthenticatedShare))
      return false;
    const free = Math.max(0, limitBytes - this.held - bytes);
    return !exceeds(this.heldBy.get(party) ?? 0, bytes, own, TIMES_FREE * free);
  }

  /** Only for ByteShare. */
  change(bytes: number, party: string, isUnauthenticated: boolean): void {
    this.held += bytes;
    if (isUnauthenticated) this.heldByUnauthenticated += bytes;
    const now = (this.heldBy.get(party) ?? 0) + bytes;
    if (now > 0) this.heldBy.set(party, now);
    else this.heldBy.delete(party);
  }
}

const exceeds = (held: number, bytes: number, own: number, limit: number): boolean =>
  held > own && held + bytes > limit;

/** The bytes of the budget that one body uses. */
export class ByteShare {
  private bytes = 0;
  private isUnauthenticated = true;

  constructor(
    private readonly budget: ByteBudget,
    private party: string,
  ) {}

  /** Reserves more bytes. False if the budget is used up; the bytes held so far stay held. */
  tryReserve(bytes: number): boolean {
    if (!this.budget.hasRoomFor(bytes, this.bytes, this.party, this.isUnauthenticated)) return false;
    this.budget.change(bytes, this.party, this.isUnauthenticated);
    this.bytes += bytes;
    return true;
  }

  /** Releases some bytes. */
  releaseBytes(bytes: number): void {
    this.budget.change(-bytes, this.party, this.isUnauthenticated);
    this.bytes -= bytes;
  }

  /** The sender has presented a valid credential: it is no longer a stranger, and counts as `party` from now on. */
  identified(party = this.party): void {
    this.budget.change(-this.bytes, this.party, this.isUnauthenticated);
    this.isUnauthenticated = false;
    this.party = party;
    this.budget.change(this.bytes, this.party, this.isUnauthenticated);
  }

  /** Releases all bytes; may be called again. */
  release(): void {
    this.releaseBytes(this.bytes);
  }
}
