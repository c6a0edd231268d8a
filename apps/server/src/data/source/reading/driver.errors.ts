import { type SourceFailureKind } from './driver.types.js';

/** A read that gave nothing. The message is for people; it holds no secret. */
export class SourceFailure extends Error {
  constructor(
    readonly kind: SourceFailureKind,
    message: string,
  ) {
    super(message);
    this.name = new.target.name;
  }
}
