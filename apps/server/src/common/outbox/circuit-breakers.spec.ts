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

  it('leave a queue alone after three failures in a row, and others not', () => {
    fail(2);
    breakers.recordSuccess('a');
    fail(2);
    expect(allowed()).toBe(MOST);
    fail(1);
    expect([allowed(), allowed('b')]).toEqual([0, MOST]);
    expect(breakers.open()).toEqual([{ queue: 'a', reason: 'no answer' }]);
  });

  it('try one row after the pause, and all again when that works', () => {
    fail(3);
    now += 5;
    expect(allowed()).toBe(1);
    breakers.recordSuccess('a');
    expect(allowed()).toBe(MOST);
    expect(breakers.open()).toEqual([]);
  });

  it('double the pause with each trial that fails, up to a minute', () => {
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

  it('count nothing that was under way when they opened', () => {
    fail(7);
    now += 5;
    expect(allowed()).toBe(1);
  });

  it('wait at once, and as long as the service asks for', () => {
    breakers.recordFailure('a', now, 'too many requests', 42);
    now += 41;
    expect(allowed()).toBe(0);
    now += 1;
    expect(allowed()).toBe(1);
  });
});
