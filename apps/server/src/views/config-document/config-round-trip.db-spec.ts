import { aConfigApp, ConfigOrg } from '../../../../../test/support/config-org.js';
import { START } from '../../../../../test/support/hand-clock.js';
import { type Answer, type MetricApp } from '../../../../../test/support/metric-app.js';

let app: MetricApp;
let org: ConfigOrg;

beforeAll(async () => {
  app = await aConfigApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  app.clock.seconds = START;
  org = await ConfigOrg.create(app);
});

const call = (...args: Parameters<ConfigOrg['call']>): Promise<Answer> => org.call(...args);
const apply = async (document: string, options?: object): Promise<string[]> =>
  (await org.apply(document, options)).map(({ action }) => action);

describe('tunings with equal names', () => {
  it('are exported once when their chips became equal, and keep the newer one', async () => {
    const [older, newer] = [
      await call('post', '/tuning', { chips: 'a', name: 'x', sensitivity: 2 }),
      await call('post', '/tuning', { chips: 'b', name: 'x', sensitivity: 3 }),
    ];
    await call('put', `/tuning/${String(older.data.tuning.id)}`, { chips: 'b' });
    const document = await org.exported();
    expect(document).toContain('sensitivity: 3');
    expect(new Set(await apply(document))).toEqual(new Set(['unchanged']));
    expect((await apply(document, { prune: true })).filter((action) => action !== 'unchanged')).toEqual(['removed']);
    expect((await call('get', '/tunings')).data.tunings).toMatchObject([{ id: newer.data.tuning.id }]);
  });

  it('update the one with other chips, and keep the one that the document names exactly', async () => {
    await call('post', '/tuning', { name: 'x', chips: 'a' });
    await call('post', '/tuning', { name: 'x', chips: 'b' });
    const named = (chips: string) => `- kind: tuning\n  name: x\n  chips: [${chips}]\n`;
    expect(await apply(named('a') + named('c') + named('d'))).toEqual(['unchanged', 'updated', 'created']);
    expect((await call('get', '/tunings')).data.tunings.map(({ chips }: { chips: string[] }) => chips[0])).toEqual([
      'd',
      'c',
      'a',
    ]);
  });
});
