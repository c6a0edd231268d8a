import { CircuitBreakers } from './circuit-breakers.js';

describe('circuit breakers', () => {
  const MOST = 4;
  let breakers: CircuitBreakers;
  let now: number;
  beforeEach(() => {
    breakers = new CircuitBreakers();
    now = 1000;
  });
  const fail = (times: number, queue = 'a') => {
    for (let i = 0; i < times; i++) breakers.recordFailure(queue, now, 'no answer', null);
  };
  const allowed = (queue = 'a') => breakers.allowed(queue, now, MOST);

  it('block a queue after three failures in a row, and no other queue', () => {
    fail(2);
    breakers.recordSuccess('a');
    fail(2);
    expect(allowed()).toBe(MOST);
    fail(1);
    expect([allowed(), allowed('b')]).toEqual([0, MOST]);
    expect(breakers.open()).toEqual([{ queue: 'a', reason: 'no answer' }]);
  });

  it('allow one trial after the pause, and all rows after its success', () => {
    fail(3);
    now += 5;
    expect(allowed()).toBe(1);
    breakers.recordSuccess('a');
    expect(allowed()).toBe(MOST);
    expect(breakers.open()).toEqual([]);
  });

  it('double the pause after each failed trial, up to a minute', () => {
    fail(3);
    const pauses: number[] = [];
    for (let i = 0; i < 6; i++) {
      const from = now;
      while (allowed() === 0) now++;
      pauses.push(now - from);
      fail(1);
    }
    expect(pauses).toEqual([5, 10, 20, 40, 60, 60]);
  });

  it('ignore failures of sends that were running when the breaker opened', () => {
    fail(7);
    now += 5;
    expect(allowed()).toBe(1);
  });

  it('open immediately for the time that the service requests', () => {
    breakers.recordFailure('a', now, 'too many requests', 42);
    now += 41;
    expect(allowed()).toBe(0);
    now += 1;
    expect(allowed()).toBe(1);
  });
});
