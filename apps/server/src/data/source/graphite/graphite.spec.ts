import { graphiteRequest, parseGraphiteAnswer } from './graphite-driver.service.js';

const WINDOW = { from: 600, until: 720, stepSeconds: 60 };
const LIMITS = { maxSeries: 3, maxPoints: 10 };
const parse = (body: unknown) =>
  parseGraphiteAnswer(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)), WINDOW, LIMITS).series;

it('graphiteRequest requests one slot after the window, because some finders omit the last one', () => {
  const { url, body } = graphiteRequest({
    settings: {
      url: 'http://graphite:8080',
      query: 'servers.*.cpu',
      username: '',
      timeoutSeconds: 5,
      writeBack: false,
    },
    secrets: { password: '', headers: {} },
    window: WINDOW,
    limits: LIMITS,
  });
  expect(url).toBe('http://graphite:8080/render');
  expect(Object.fromEntries(new URLSearchParams(String(body)))).toMatchObject({
    target: 'servers.*.cpu',
    from: '600',
    until: '780',
    format: 'json',
  });
});

describe('parseGraphiteAnswer', () => {
  const points = [[1, 600], [null, 660], [2.5, 720], [3, 780]]; // prettier-ignore

  it('returns names and tags, and the points of the window with a value', () => {
    expect(parse([{ target: 'servers.web1.cpu', tags: { name: 'servers.web1.cpu' }, datapoints: points }])).toEqual([
      { name: 'servers.web1.cpu', labels: [], timestamps: [720], values: [2.5] },
    ]);
    expect(parse([{ target: 'cpu;host=a;rack=', datapoints: points }])[0]).toMatchObject({
      name: 'cpu',
      labels: [
        ['host', 'a'],
        ['rack', ''],
      ],
    });
  });

  it('treats text that is not a name with tags as the name', () => {
    for (const target of ['sumSeries(a.*)', 'a;b', ';a=b', 'f(a;x=1,b)']) {
      const [series] = parse([{ target, datapoints: points }]);
      expect([series!.name, series!.labels.length]).toEqual(target === 'f(a;x=1,b)' ? ['f(a', 1] : [target, 0]);
    }
  });

  it.each([
    '',
    '{}',
    'null',
    '<html>',
    '[1]',
    '[{"target":1,"datapoints":[]}]',
    '[{"target":"a"}]',
    '[{"target":"a","datapoints":[[1]]}]',
    '[{"target":"a","datapoints":[1]}]',
  ])(
    // prettier-ignore
    'rejects an invalid response: %s',
    (body) => {
      expect(() => parse(body)).toThrow(expect.objectContaining({ kind: 'refused' }));
    },
  );

  it('omits values that are not numbers, and rejects too many series', () => {
    expect(parse([{ target: 'a', datapoints: [['7', 660], [true, 720], [{}, 720]] }])).toEqual([]); // prettier-ignore
    const series = { target: 'a', datapoints: [] };
    expect(() => parse([series, series, series, series])).toThrow(expect.objectContaining({ kind: 'too_many_series' }));
  });
});
