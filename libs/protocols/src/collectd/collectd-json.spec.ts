import { parseLimits } from '../batch/limits.js';
import { parseJsonMetrics, readJsonBody } from '../json/parse-json.js';
import { MalformedBodyError } from '../batch/errors.js';

const NOW = 1_760_000_000;

/** As written by collectd 5.12 (write_http, Format "JSON"). */
const BODY = [
  {
    values: [123_456, 654_321],
    dstypes: ['derive', 'derive'],
    dsnames: ['rx', 'tx'],
    time: NOW + 0.021,
    interval: 10,
    host: 'web-1',
    plugin: 'interface',
    plugin_instance: 'eth0',
    type: 'if_octets',
    type_instance: '',
  },
  {
    values: [0.25, null, 0.1],
    dstypes: ['gauge', 'gauge', 'gauge'],
    dsnames: ['shortterm', 'midterm', 'longterm'],
    time: NOW,
    interval: 10,
    host: 'web-1',
    plugin: 'load',
    plugin_instance: '',
    type: 'load',
    type_instance: '',
  },
  {
    values: [97],
    dstypes: ['absolute'],
    dsnames: ['value'],
    time: NOW,
    interval: 10,
    host: 'web-1',
    plugin: 'cpu',
    plugin_instance: '0',
    type: 'cpu',
    type_instance: 'idle',
  },
];

function parse(body: unknown) {
  return parseJsonMetrics(readJsonBody(Buffer.from(JSON.stringify(body))), parseLimits(NOW, {}));
}

describe('the JSON of collectd', () => {
  it('is parsed as one metric per data source, with labels and type', () => {
    const { batch, refusals } = parse(BODY);
    expect(batch.series.map(({ name, type }) => `${name} ${String(type)}`)).toEqual([
      'interface_if_octets_rx{host="web-1",plugin_instance="eth0"} counter',
      'interface_if_octets_tx{host="web-1",plugin_instance="eth0"} counter',
      'load_shortterm{host="web-1"} gauge',
      'load_longterm{host="web-1"} gauge',
      'cpu{host="web-1",plugin_instance="0",type_instance="idle"} rate',
    ]);
    expect([...batch.values.subarray(0, batch.count)]).toEqual([123_456, 654_321, 0.25, 0.1, 97]);
    expect(refusals.total).toBe(0);
  });

  it('is rejected with the messages of the JSON format of Plumbline', () => {
    expect(() => parse([BODY[0], { ...BODY[1], type: 7 }])).toThrow(MalformedBodyError);
    expect(() => parse([BODY[0], 'text'])).toThrow('1 must be an object, got "text"');
  });
});
