import { jest } from '@jest/globals';
import { ReadinessRegistry } from '../../common/telemetry/readiness.js';
import { WarmUp } from '../../common/telemetry/warm-up.js';
import { FairQueueRegistry } from '../../common/fair-share/fair-queue-registry.js';
import { MetricsRegistry } from '../../common/telemetry/metrics.js';
import { ClientGoneError } from '../../common/fair-share/fair-queue.js';
import { OverloadedError } from '../../common/http/http.errors.js';
import { currentRequest, RequestContext } from '../../common/http/request-context.js';
import { aDay, ChartRenderer } from './chart-renderer.js';
import { until } from '../../../../../test/support/product.js';
import { InlineExecutor } from '../../common/workers/executor.js';
import { ImageConfig } from './image.config.js';

const threads = (chartThreads: number) => Object.assign(new ImageConfig(), { chartThreads });

describe('ChartRenderer', () => {
  it('draws a picture of each format before the process is ready', async () => {
    const warmUp = new WarmUp(new ReadinessRegistry());
    const renderer = new ChartRenderer(warmUp, new FairQueueRegistry(new MetricsRegistry()), threads(1));
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
    await renderer.onApplicationShutdown();
  });

  describe('with several organisations', () => {
    let renderer: ChartRenderer;
    beforeEach(() => {
      renderer = new ChartRenderer(
        new WarmUp(new ReadinessRegistry()),
        new FairQueueRegistry(new MetricsRegistry()),
        threads(1),
      );
    });
    afterEach(() => renderer.onApplicationShutdown());

    const request = { chart: { ...aDay(), width: 300, height: 200 }, format: 'svg' } as const;

    it('takes turns, even if one requests many pictures', async () => {
      const drawn: number[] = [];
      const draw = (orgId: number) => renderer.render(request, orgId).then(() => drawn.push(orgId));
      await Promise.all([...Array.from({ length: 12 }, () => draw(1)), draw(2), draw(3)]);
      expect(drawn.slice(0, 4)).toEqual([1, 1, 2, 3]);
    });

    it('skips a picture whose request was aborted while it waited', async () => {
      const gone = new AbortController();
      const first = renderer.render(request, 1);
      const second = renderer.render(request, 2, gone.signal).catch((error: unknown) => error);
      gone.abort();
      expect(await second).toBeInstanceOf(ClientGoneError);
      expect((await first).length).toBeGreaterThan(0);
    });

    it('uses every thread, each for one picture at a time', async () => {
      const ends: (() => void)[] = [];
      const call = jest
        .spyOn(InlineExecutor.prototype, 'call')
        .mockImplementation(() => new Promise((resolve) => ends.push(() => resolve(new Uint8Array([1])))));
      const two = new ChartRenderer(
        new WarmUp(new ReadinessRegistry()),
        new FairQueueRegistry(new MetricsRegistry()),
        threads(2),
      );
      const drawn = Promise.all([1, 2, 3].map((orgId) => two.render(request, orgId)));
      await until('two pictures', async () => ends[1], { everyMs: 2 });
      ends[0]!();
      await until('the third', async () => ends[2], { everyMs: 2 });
      expect(ends).toHaveLength(3);
      const [first, second, third] = call.mock.contexts;
      expect(second).not.toBe(first);
      expect(third).toBe(first);
      for (const end of ends) end();
      expect(await drawn).toHaveLength(3);
      jest.restoreAllMocks();
      await two.onApplicationShutdown();
    });

    it('returns the cached picture for the same request, and draws a changed one', async () => {
      const first = await renderer.render(request, 1);
      expect(await renderer.render({ ...request, chart: { ...aDay(), width: 300, height: 200 } }, 2)).toBe(first);
      const other = { ...request, chart: { ...request.chart, title: 'another' } };
      expect(Buffer.from(await renderer.render(other, 1)).toString()).toContain('another');
    });

    it('draws several metrics below each other', async () => {
      const { title, timezone, from, until, series, unit } = aDay();
      const rows = ['a', 'b'].map((name) => ({ title: name, unit, series, anomalies: [] }));
      const multiples = { title, timezone, from, until, rows, theme: 'auto', width: 300, height: 300 } as const;
      const svg = Buffer.from(await renderer.render({ multiples, format: 'svg' }, 1)).toString();
      expect(svg).toMatch(/^<svg .*>a \(points\)<.*>b \(points\)</s);
      expect(Buffer.from(await renderer.render({ multiples, format: 'png' }, 1)).toString('latin1')).toMatch(
        /^\x89PNG/,
      );
    });

    it('skips pictures of a disconnected client, and limits the queue per organisation', async () => {
      const context = new RequestContext(undefined);
      const first = renderer.render(request, 1);
      const waiting = currentRequest.run(context, () =>
        Array.from({ length: 30 }, () => renderer.render(request, 1).catch((error: unknown) => error)),
      );
      const tooMany = renderer.render(request, 1).catch((error: unknown) => error);
      const other = renderer.render(request, 2);
      context.recordGone();
      expect(await tooMany).toBeInstanceOf(OverloadedError);
      const left = await Promise.all(waiting);
      expect(left.every((error) => error instanceof ClientGoneError)).toBe(true);
      expect((await Promise.all([first, other])).map(({ length }) => length > 0)).toEqual([true, true]);
    });
  });
});
