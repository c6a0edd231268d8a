export type OutgoingFailure =
  /** The rules of the operator do not allow the destination. */
  | 'address_not_allowed'
  /** Name, connection, encryption or answer failed. */
  | 'unreachable'
  | 'timeout'
  | 'too_large'
  /** The caller aborted it. */
  | 'aborted';

/** A request without an answer. The message is for people and contains neither the address nor the sent data. */
export class OutgoingError extends Error {
  constructor(
    readonly failure: OutgoingFailure,
    message: string,
  ) {
    super(message);
    this.name = new.target.name;
  }
}

export const addressNotAllowed = (why: string): OutgoingError => new OutgoingError('address_not_allowed', why);
