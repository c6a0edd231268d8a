import { graphiteRequest, parseGraphiteAnswer } from './graphite-driver.service.js';

const WINDOW = { from: 600, until: 720, stepSeconds: 60 };
const LIMITS = { maxSeries: 3, maxPoints: 10 };
const parse = (body: unknown) =>
  parseGraphiteAnswer(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)), WINDOW, LIMITS).series;

it('graphiteRequest asks the render API for the window and a slot more, as some finders leave the last one out', () => {
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

  it('takes names and tags, and the points of the window that have a value', () => {
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

  it('takes what is no name with tags for a name as it stands', () => {
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
    'refuses what is no answer: %s',
    (body) => {
      expect(() => parse(body)).toThrow(expect.objectContaining({ kind: 'refused' }));
    },
  );

  it('leaves out values that are no numbers, and refuses too many series', () => {
    expect(parse([{ target: 'a', datapoints: [['7', 660], [true, 720], [{}, 720]] }])).toEqual([]); // prettier-ignore
    const series = { target: 'a', datapoints: [] };
    expect(() => parse([series, series, series, series])).toThrow(expect.objectContaining({ kind: 'too_many_series' }));
  });
});
