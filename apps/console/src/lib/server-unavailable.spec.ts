import { noteAnswer, serverUnavailable } from './server-unavailable';

const answer = (status: number): Promise<Response> => Promise.resolve(new Response(null, { status }));

describe('noteAnswer', () => {
  beforeEach(() => serverUnavailable.set(false));

  it('sets serverUnavailable when a request fails, and resets it on a response', async () => {
    await expect(noteAnswer(Promise.reject(new TypeError('Failed to fetch')))).rejects.toThrow('Failed to fetch');
    expect(serverUnavailable.get()).toBe(true);
    await noteAnswer(answer(404));
    expect(serverUnavailable.get()).toBe(false);
  });

  it('treats 502 and 503 as no response', async () => {
    await noteAnswer(answer(502));
    expect(serverUnavailable.get()).toBe(true);
    await noteAnswer(answer(503));
    expect(serverUnavailable.get()).toBe(true);
    await noteAnswer(answer(200));
    expect(serverUnavailable.get()).toBe(false);
  });

  it('ignores aborted requests', async () => {
    const givenUp = Promise.reject(new DOMException('The user aborted a request.', 'AbortError'));
    await expect(noteAnswer(givenUp)).rejects.toThrow('aborted');
    expect(serverUnavailable.get()).toBe(false);
  });
});
