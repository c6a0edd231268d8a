import { Crowds, type TrackedRequest } from './crowds.js';

/** Crowds with a clock that the test moves. */
function timed() {
  let now = 100_000;
  const crowds = new Crowds(() => now);
  const begin = (party: string): TrackedRequest => {
    const visit = crowds.enter(party);
    crowds.noteRequest(party);
    visit.begin();
    return visit;
  };
  const pass = (milliseconds: number) => (now += milliseconds);
  /** Serves requests one after the other, each of the given duration. */
  const serve = (party: string, times: number, milliseconds: number) => {
    for (let i = 0; i < times; i++) {
      const visit = begin(party);
      pass(milliseconds);
      visit.end();
    }
  };
  return { crowds, begin, pass, serve };
}

describe('isCrowd', () => {
  it('is true for a party with many requests open for a while, beside another organisation', () => {
    const { crowds, begin, pass, serve } = timed();
    serve('org:1', 1, 10);
    serve('org:2', 1, 20);
    for (let i = 0; i < 20; i++) begin('org:1');
    expect(crowds.isCrowd('org:1')).toBe(false);
    pass(2000);
    expect(crowds.isCrowd('org:1')).toBe(true);
    expect(crowds.isCrowd('org:2')).toBe(false);
  });

  it('is true for eight concurrent requests that are not known to be faster than those of others', () => {
    const { crowds, begin, serve } = timed();
    serve('org:2', 1, 20);
    for (let i = 0; i < 7; i++) begin('org:1');
    expect(crowds.isCrowd('org:1')).toBe(false);
    begin('org:1');
    expect(crowds.isCrowd('org:1')).toBe(true);
  });

  it('is false while no other organisation has begun a request in the last ten seconds', () => {
    const { crowds, begin, pass } = timed();
    begin('org:2').end();
    begin('address:192.0.2.1').end();
    for (let i = 0; i < 20; i++) begin('org:1');
    pass(10_001);
    expect(crowds.isCrowd('org:1')).toBe(false);
    crowds.noteRequest('org:3');
    expect(crowds.isCrowd('org:1')).toBe(true);
  });

  it('is true for an address too', () => {
    const { crowds, begin, pass } = timed();
    for (let i = 0; i < 20; i++) begin('address:192.0.2.1');
    pass(2000);
    begin('org:2');
    expect(crowds.isCrowd('address:192.0.2.1')).toBe(true);
  });

  it('is false once the open requests have ended', () => {
    const { crowds, begin, pass } = timed();
    const visits = Array.from({ length: 20 }, () => begin('org:1'));
    pass(2000);
    for (const visit of visits) visit.end();
    pass(8000);
    begin('org:2');
    expect(crowds.isCrowd('org:1')).toBe(false);
  });

  it('is true for seven concurrent requests only if they take longer than those of others', () => {
    const { crowds, begin, pass, serve } = timed();
    serve('org:1', 20, 200);
    serve('org:2', 20, 50);
    for (let i = 0; i < 7; i++) {
      begin('org:1');
      begin('org:2');
    }
    pass(4500);
    expect(crowds.isCrowd('org:1')).toBe(true);
    expect(crowds.isCrowd('org:2')).toBe(false);
    expect(crowds.usualOfOthers('org:1')).toBeCloseTo(50);
    expect(crowds.usualOfOthers('org:2')).toBeCloseTo(200);
  });

  it('is false for a browser that uses all its connections', () => {
    const { crowds, begin, pass, serve } = timed();
    serve('org:1', 20, 200);
    serve('org:2', 20, 50);
    for (let i = 0; i < 5; i++) begin('org:1');
    begin('org:2');
    pass(9000);
    expect(crowds.isCrowd('org:1')).toBe(false);
  });

  it('is false for a client that sends one request after the other', () => {
    const { crowds, begin, serve } = timed();
    begin('org:2').end();
    serve('org:1', 20, 400);
    begin('org:2').end();
    expect(crowds.isCrowd('org:1')).toBe(false);
  });
});
