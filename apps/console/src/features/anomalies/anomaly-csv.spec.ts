import { type Schema } from '../../lib/api';
import { anomaliesCsv } from './anomaly-csv';

const anomaly = (over: Partial<Schema<'AnomalyDto'>>) =>
  ({
    id: 7,
    metric: 'shop.orders',
    kind: 'dip',
    severity: 60,
    severity_label: 'major',
    score: 0.98,
    state: 'open',
    timestamp: 1_760_000_000,
    until_timestamp: null,
    out_until_timestamp: null,
    value: -4,
    peak_value: -5.5,
    expected_range_lower: 1,
    expected_range_upper: 9,
    acknowledged_by_display_name: null,
    acknowledged_at: null,
    incident_id: 3,
    explanation: [{ text: 'Fewer than on other days.' }],
    ...over,
  }) as Schema<'AnomalyDto'>;

describe('anomaliesCsv', () => {
  it('writes one line per anomaly, with times in UTC and in Unix seconds and empty fields for null', () => {
    const [, line] = anomaliesCsv([anomaly({})]).split('\r\n');
    expect(line).toBe(
      '7,shop.orders,dip,60,major,0.98,open,2025-10-09T08:53:20Z,,1760000000,,-4,-5.5,1,9,,,3,Fewer than on other days.',
    );
  });

  it('writes the end of the last anomalous slot, once the anomaly has closed', () => {
    const returned = anomaly({ out_until_timestamp: 1_760_000_060 });
    expect(anomaliesCsv([returned])).toContain(',2025-10-09T08:53:20Z,,1760000000,,');
    expect(anomaliesCsv([{ ...returned, state: 'resolved', until_timestamp: 1_760_000_000 }])).toContain(
      ',2025-10-09T08:53:20Z,2025-10-09T08:54:20Z,1760000000,1760000060,',
    );
  });

  it('escapes a metric name that a spreadsheet would run as a formula', () => {
    const [, line] = anomaliesCsv([anomaly({ metric: '=1+1' })]).split('\r\n');
    expect(line).toMatch(/^7,'=1\+1,/);
  });

  it('has as many header names as cells', () => {
    const [names, line] = anomaliesCsv([anomaly({})]).split('\r\n');
    expect(names!.split(',')).toHaveLength(line!.split(',').length);
  });
});
