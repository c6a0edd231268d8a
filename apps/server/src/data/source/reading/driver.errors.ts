import { type SourceFailureKind } from './driver.types.js';

/** A read that returned nothing. The message is for people and contains no secret. */
export class SourceFailure extends Error {
  constructor(
    readonly kind: SourceFailureKind,
    message: string,
  ) {
    super(message);
    this.name = new.target.name;
  }
}
