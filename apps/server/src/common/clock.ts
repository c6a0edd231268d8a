import { Injectable } from '@nestjs/common';

/** The time of the service; tests replace it. */
export abstract class Clock {
  /** Unix seconds, fractions allowed. */
  abstract now(): number;
}

@Injectable()
export class SystemClock extends Clock {
  now(): number {
    return Date.now() / 1000;
  }
}
