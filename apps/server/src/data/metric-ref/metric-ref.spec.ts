import { metricRefText, parseMetricRef } from './metric-ref.js';

describe('parseMetricRef', () => {
  it.each([
    ['id:123', { id: 123 }],
    [' id:123 ', { id: 123 }],
    ['id:007', { id: 7 }],
    ['id:0', undefined],
    ['id:99999999999999999999', undefined],
    ['id:12x', { name: 'id:12x' }],
    ['web-1.eth0.tx_byte', { name: 'web-1.eth0.tx_byte' }],
    ['up{ job = "api", a="1" }', { name: 'up{a="1",job="api"}' }],
    ['up{job=""}', { name: 'up' }],
    ['', undefined],
    ['a b', undefined],
    ['up{job=api}', undefined],
    ['x'.repeat(1025), undefined],
  ])('parses %j', (text, ref) => {
    expect(parseMetricRef(text)).toEqual(ref);
  });

  it.each(['id:5', 'up{a="1",job="api"}'])('parses the output of metricRefText: %s', (text) => {
    expect(metricRefText(parseMetricRef(text)!)).toBe(text);
  });
});
