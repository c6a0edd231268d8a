import { Clock } from '../../apps/server/src/common/clock.js';

/** Thu 9 Oct 2025 08:53:20 UTC */
export const START = 1_760_000_000;

/** A clock that is moved by hand. Like a real one, it has a fraction of a second by default. */
export class HandClock extends Clock {
  constructor(
    public seconds = START,
    private readonly fraction = 0.25,
  ) {
    super();
  }

  now(): number {
    return this.seconds + this.fraction;
  }
}
