import {
  backfilledShare,
  bodyOfSource,
  draftOfSource,
  lacksOf,
  NEW_SOURCE,
  secretsOf,
  type Source,
} from './source-form';

const SOURCE: Source = {
  id: 7,
  name: 'shop',
  type: 'promql',
  url: 'http://prometheus:9090',
  query: 'up',
  headers_set: { 'X-Scope-OrgID': '************' },
  username: '',
  password_set: true,
  interval_seconds: 30,
  lag_seconds: 0,
  backfill_seconds: 86_400,
  name_template: '',
  metric_type: null,
  unit: 's',
  timeout_seconds: 30,
  max_series: 10_000,
  enabled: true,
  write_back: false,
  state: 'ok',
  last_success_timestamp: null,
  last_error: null,
  series_count: null,
  points_per_interval: null,
  write_back_timestamp: null,
  write_back_error: null,
  watermark_timestamp: null,
};

const FILLED = { ...NEW_SOURCE, name: 'shop', url: 'http://prometheus:9090', query: 'up' };

describe('the form of a source', () => {
  it('sends a stored source unchanged, with masked headers and without a password', () => {
    const sent = bodyOfSource(draftOfSource(SOURCE), secretsOf(SOURCE));
    expect(SOURCE).toMatchObject(sent);
    for (const member of ['id', 'password', 'password_set', 'enabled', 'state'])
      expect(sent).not.toHaveProperty(member);
  });

  it('sends the default values of the API for a new source', () => {
    expect(bodyOfSource(FILLED, { password: 'p', headers: '' })).toMatchObject({
      password: 'p',
      headers_set: {},
      backfill_seconds: 1_209_600,
      interval_seconds: 60,
      metric_type: null,
      unit: null,
    });
  });

  it.each([
    [{}, '', []],
    [{ name: ' ', url: '' }, '', ['name', 'url']],
    [{ interval: '9' }, '', ['interval']],
    [{ interval: '10.5', lag: '', maxSeries: 'many' }, '', ['interval', 'lag', 'maxSeries']],
    [{ backfillDays: '0.5' }, '', []],
    [{ backfillDays: '91' }, '', ['backfillDays']],
    [{}, 'X-Tenant', ['headers']],
    [{}, 'X-Tenant=a=b\n', []],
  ])('validates %j with headers %j: %j', (part, headers, lacks) => {
    expect([...lacksOf({ ...FILLED, ...part }, { password: '', headers })].sort()).toEqual([...lacks].sort());
  });

  it('sends write_back only for a type that supports it', () => {
    const sent = (part: object) => bodyOfSource({ ...FILLED, ...part }, { password: '', headers: '' }).write_back;
    expect([sent({}), sent({ writeBack: true }), sent({ writeBack: true, type: 'graphite' })]).toEqual([
      false,
      true,
      false,
    ]);
  });

  it('computes the backfilled share', () => {
    const at = (watermark_timestamp: number | null) => backfilledShare({ ...SOURCE, watermark_timestamp }, 1_000_000);
    expect([at(null), at(1_000_000 - 86_400), at(1_000_000 - 21_600), at(1_000_060)]).toEqual([0, 0, 0.75, 1]);
    expect(backfilledShare({ ...SOURCE, backfill_seconds: 0 }, 1_000_000)).toBe(1);
  });
});
