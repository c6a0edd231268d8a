import { Injectable } from '@nestjs/common';
import { type KnownCaller } from '../../common/auth/caller.js';

/** Records of matches near a time, nearest first. Implemented by an area above this one. */
export type MatchesNear = (caller: KnownCaller, timestamp: number, seconds: number, limit: number) => Promise<object[]>;

/** What happened around an anomaly, as higher areas know it; nothing where they are not loaded. */
@Injectable()
export class AnomalySurroundings {
  private find: MatchesNear = () => Promise.resolve([]);

  register(find: MatchesNear): void {
    this.find = find;
  }

  matchesNear(...args: Parameters<MatchesNear>): Promise<object[]> {
    return this.find(...args);
  }
}
