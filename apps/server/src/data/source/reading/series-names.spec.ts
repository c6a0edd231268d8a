import { namedSeries } from './series-names.js';

const SERIES = { name: 'cpu', labels: [['host', 'a'], ['rack', '7']] as const }; // prettier-ignore
const named = (nameTemplate: string, series: { name: string | null; labels: typeof SERIES.labels } = SERIES) => {
  const { name, labels } = namedSeries(series, { name: 'load of shops', nameTemplate });
  return [name, labels.map(([key]) => key)];
};

describe('namedSeries', () => {
  it('keeps the name of the series, and uses the name of the source if there is none', () => {
    expect(named('')).toEqual(['cpu', ['host', 'rack']]);
    expect(named('', { ...SERIES, name: null })).toEqual(['load of shops', ['host', 'rack']]);
  });

  it('builds the name from name and labels, and removes the used labels', () => {
    expect(named('servers.{host}.{name}')).toEqual(['servers.a.cpu', ['rack']]);
    expect(named('{name}.{missing}{rack}')).toEqual(['cpu.7', ['host']]);
    expect(named('all')).toEqual(['all', ['host', 'rack']]);
  });

  it('inserts label values literally', () => {
    const labels = [['host', '{name} $& $1'], ['rack', '']] as const; // prettier-ignore
    expect(namedSeries({ name: 'cpu', labels }, { name: 's', nameTemplate: '{host}' }).name).toBe('{name} $& $1');
  });
});
