import { QueryClient } from '@tanstack/react-query';
import { sessionEnded } from '../session-state.js';
import { liveState } from './live-state.js';
import { Liveness } from './liveness.js';
import { Staleness } from './staleness.js';

const KEY = ['metrics'];

describe('Liveness', () => {
  let client: QueryClient;
  let liveness: Liveness;
  let checks: number;
  beforeEach(() => {
    client = new QueryClient();
    client.setQueryData(KEY, 'loaded');
    checks = 0;
    liveState.set('connecting');
    sessionEnded.set(false);
    liveness = new Liveness(new Staleness(client, () => true), () => (checks += 1));
  });
  afterEach(() => client.clear());

  const isStale = (): boolean => client.getQueryState(KEY)!.isInvalidated;

  it('keeps data fresh when the stream opens for the first time', () => {
    liveness.enter('live');
    expect(isStale()).toBe(false);
  });

  it.each(['lost', 'gap'] as const)('reloads data once when the stream is back after a %s', (missed) => {
    liveness.enter('live');
    if (missed === 'lost') liveness.enter('lost');
    else liveness.noteGap();
    expect(isStale()).toBe(false);
    liveness.enter('live');
    expect(isStale()).toBe(true);
    client.setQueryData(KEY, 'loaded again');
    liveness.enter('live');
    expect(isStale()).toBe(false);
  });

  it('checks on the second failure whether the session has ended, but not after it has', () => {
    liveness.enter('lost');
    expect(checks).toBe(0);
    liveness.enter('lost');
    expect(checks).toBe(1);
    sessionEnded.set(true);
    liveness.enter('lost');
    expect(checks).toBe(1);
  });
});
