import { noteAnswer, serverUnavailable } from './server-unavailable';

const answer = (status: number): Promise<Response> => Promise.resolve(new Response(null, { status }));

describe('noteAnswer', () => {
  beforeEach(() => serverUnavailable.set(false));

  it('notes that nothing answered, until something does', async () => {
    await expect(noteAnswer(Promise.reject(new TypeError('Failed to fetch')))).rejects.toThrow('Failed to fetch');
    expect(serverUnavailable.get()).toBe(true);
    await noteAnswer(answer(404));
    expect(serverUnavailable.get()).toBe(false);
  });

  it('takes the errors of a proxy for no answer', async () => {
    await noteAnswer(answer(502));
    expect(serverUnavailable.get()).toBe(true);
    await noteAnswer(answer(503));
    expect(serverUnavailable.get()).toBe(true);
    await noteAnswer(answer(200));
    expect(serverUnavailable.get()).toBe(false);
  });

  it('does not mind calls that are given up', async () => {
    const givenUp = Promise.reject(new DOMException('The user aborted a request.', 'AbortError'));
    await expect(noteAnswer(givenUp)).rejects.toThrow('aborted');
    expect(serverUnavailable.get()).toBe(false);
  });
});
