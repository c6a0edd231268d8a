import { type Schema } from '../../lib/api';
import { bodyOf, clearedBody, draftsOf, lackOf, placeholderOf } from './integration-form';

const field = (part: Partial<Schema<'ConfigFieldDto'>>): Schema<'ConfigFieldDto'> => ({
  key: 'url',
  label: 'Address',
  type: 'url',
  required: false,
  help: '',
  options: [],
  default: null,
  value: null,
  source: 'default',
  ...part,
});

const URL = field({ value: 'https://example.org/a', source: 'org' });
const SECRET = field({ key: 'secret', type: 'secret', value: '****9f2c', source: 'org' });
const PORT = field({ key: 'port', type: 'int', value: 587, default: 587 });
const LABELS = field({ key: 'labels', type: 'object', value: { team: 'pay', env: 'a=b' }, source: 'org' });
const EVENTS = field({ key: 'events', type: 'list', options: ['a', 'b'], value: ['a', 'b'], default: ['a', 'b'] });
const ENABLED = field({ key: 'enabled', type: 'bool', value: true, default: true });
const ALL = [URL, SECRET, PORT, LABELS, EVENTS, ENABLED];

describe('the form of an integration', () => {
  it('sends nothing without changes', () => {
    expect(bodyOf(ALL, draftsOf(ALL))).toEqual({});
  });

  it('omits stored secrets and default values from the fields', () => {
    expect(draftsOf(ALL)).toMatchObject({ secret: '', port: '', labels: 'team=pay\nenv=a=b' });
    expect(placeholderOf(PORT)).toBe('587');
  });

  it('sends changed fields with their types', () => {
    const draft = {
      ...draftsOf(ALL),
      url: ' https://example.org/b ',
      secret: 'new',
      port: '25',
      labels: 'team=web\n\n',
      events: ['a'],
      enabled: false,
    };
    expect(bodyOf(ALL, draft)).toEqual({
      url: 'https://example.org/b',
      secret: 'new',
      port: 25,
      labels: { team: 'web' },
      events: ['a'],
      enabled: false,
    });
  });

  it('clears emptied fields', () => {
    expect(bodyOf(ALL, { ...draftsOf(ALL), url: '' })).toEqual({ url: null });
    expect(clearedBody(ALL)).toEqual({ url: null, secret: null, labels: null });
  });

  it('reports invalid input', () => {
    expect(lackOf(PORT, 'many')).toBe('number');
    expect(lackOf(LABELS, 'team')).toBe('lines');
    expect(lackOf(URL, 'anything')).toBeNull();
  });
});
