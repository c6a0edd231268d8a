import { Injectable } from '@nestjs/common';

/** The time of the service; tests set their own. */
export abstract class Clock {
  /** Unix seconds, fraction allowed. */
  abstract now(): number;
}

@Injectable()
export class SystemClock extends Clock {
  now(): number {
    return Date.now() / 1000;
  }
}
