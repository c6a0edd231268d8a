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
  /** One request after the other, of which each takes so long. */
  const serve = (party: string, times: number, milliseconds: number) => {
    for (let i = 0; i < times; i++) {
      const visit = begin(party);
      pass(milliseconds);
      visit.end();
    }
  };
  return { crowds, begin, pass, serve };
}

describe('crowds', () => {
  it('are parties that have had many requests open for a while, beside an organisation', () => {
    const { crowds, begin, pass, serve } = timed();
    serve('org:1', 1, 10);
    serve('org:2', 1, 20);
    for (let i = 0; i < 20; i++) begin('org:1');
    expect(crowds.isCrowd('org:1')).toBe(false);
    pass(2000);
    expect(crowds.isCrowd('org:1')).toBe(true);
    expect(crowds.isCrowd('org:2')).toBe(false);
  });

  it('are many requests at once where these are not known to take less than those of the others', () => {
    const { crowds, begin, serve } = timed();
    serve('org:2', 1, 20);
    for (let i = 0; i < 7; i++) begin('org:1');
    expect(crowds.isCrowd('org:1')).toBe(false);
    begin('org:1');
    expect(crowds.isCrowd('org:1')).toBe(true);
  });

  it('are none where no other organisation has begun a request lately', () => {
    const { crowds, begin, pass } = timed();
    begin('org:2').end();
    begin('address:192.0.2.1').end();
    for (let i = 0; i < 20; i++) begin('org:1');
    pass(10_001);
    expect(crowds.isCrowd('org:1')).toBe(false);
    crowds.noteRequest('org:3');
    expect(crowds.isCrowd('org:1')).toBe(true);
  });

  it('may be addresses', () => {
    const { crowds, begin, pass } = timed();
    for (let i = 0; i < 20; i++) begin('address:192.0.2.1');
    pass(2000);
    begin('org:2');
    expect(crowds.isCrowd('address:192.0.2.1')).toBe(true);
  });

  it('are none any longer when what they had open has ended', () => {
    const { crowds, begin, pass } = timed();
    const visits = Array.from({ length: 20 }, () => begin('org:1'));
    pass(2000);
    for (const visit of visits) visit.end();
    pass(8000);
    begin('org:2');
    expect(crowds.isCrowd('org:1')).toBe(false);
  });

  it('are few requests at a time only where these take longer than those of the others', () => {
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

  it('are no browser with all of its connections in use', () => {
    const { crowds, begin, pass, serve } = timed();
    serve('org:1', 20, 200);
    serve('org:2', 20, 50);
    for (let i = 0; i < 5; i++) begin('org:1');
    begin('org:2');
    pass(9000);
    expect(crowds.isCrowd('org:1')).toBe(false);
  });

  it('are no single client that asks for one thing after the other', () => {
    const { crowds, begin, serve } = timed();
    begin('org:2').end();
    serve('org:1', 20, 400);
    begin('org:2').end();
    expect(crowds.isCrowd('org:1')).toBe(false);
  });
});
