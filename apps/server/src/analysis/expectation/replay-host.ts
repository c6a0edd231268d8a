import {
  accountFor,
  type AccountRequest,
  type AccountResult,
  type ReplayRequest,
  type ReplayResult,
  Replays,
} from './replay.js';

export type ReplayWork = ReplayRequest | AccountRequest;
export type ReplayAnswer = ReplayResult | AccountResult;

/** The work of the replaying thread. Independent of threads, so that tests and workers run the same code. */
export class ReplayHost {
  private readonly replays = new Replays();

  handle(work: ReplayWork): ReplayAnswer {
    return 'recorded' in work ? accountFor(work) : this.replays.replay(work);
  }
}
