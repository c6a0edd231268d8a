import { jest } from '@jest/globals';
import { ReadinessRegistry } from '../../common/telemetry/readiness.js';
import { WarmUp } from '../../common/telemetry/warm-up.js';
import { ChartRenderer } from './chart-renderer.js';

describe('ChartRenderer', () => {
  it('has drawn a picture of each format before the process is ready', async () => {
    const warmUp = new WarmUp(new ReadinessRegistry());
    const renderer = new ChartRenderer(warmUp);
    const render = jest.spyOn(renderer, 'render');
    await warmUp.run();
    const drawn = render.mock.calls.map(([{ format }]) => format);
    const pictures = await Promise.all(render.mock.results.map(({ value }) => value as Promise<Uint8Array>));
    expect(
      Object.fromEntries(drawn.map((format, i) => [format, Buffer.from(pictures[i]!).toString('latin1')])),
    ).toEqual({
      html: expect.stringMatching(/^<!doctype html>/i),
      svg: expect.stringMatching(/^<svg /),
      png: expect.stringMatching(/^\x89PNG/),
    });
    await renderer.beforeApplicationShutdown();
  });
});
