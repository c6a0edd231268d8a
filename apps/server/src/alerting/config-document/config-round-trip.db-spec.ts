import { Permission } from '#libs/contracts';
import { START } from '../../../../../test/support/hand-clock.js';
import { type Answer, MetricApp } from '../../../../../test/support/metric-app.js';
import { TuningModule } from '../../analysis/tuning/tuning.module.js';
import { AdminAlertModule } from '../admin-alert/admin-alert.module.js';
import { IntegrationModule } from '../integration/integration.module.js';
import { WatcherModule } from '../watcher/watcher.module.js';
import { ConfigDocumentModule } from './config-document.module.js';

let app: MetricApp;
let token: string;

beforeAll(async () => {
  app = await MetricApp.create({ env: { PLUMBLINE_OUTGOING: 'any' } }, [
    AdminAlertModule,
    ConfigDocumentModule,
    IntegrationModule,
    TuningModule,
    WatcherModule,
  ]);
});
afterAll(() => app.close());
beforeEach(async () => {
  app.clock.seconds = START;
  await anotherOrg();
});

async function anotherOrg(): Promise<void> {
  token = await app.aToken((await app.anOrg()).id, Permission.Read, Permission.Write, Permission.Admin);
}

const call = async (method: 'get' | 'post' | 'put', path: string, body?: object): Promise<Answer> => {
  const answer = await app.call(method, path, { token }, body);
  expect([path, body, answer.status, answer.data.error?.details]).toEqual([path, body, 200, undefined]);
  return answer;
};
const exported = async (format: string): Promise<string> =>
  (await call('get', `/config/export?format=${format}`)).data.document as string;
const apply = async (document: string, options: object = {}): Promise<string[]> => {
  const { status, data } = await app.call('post', '/config/apply', { token }, { document, ...options });
  expect([status, data.error?.details, data.message]).toEqual([200, undefined, 'OK']);
  return (data.changes as { action: string }[]).map(({ action }) => action);
};

describe('what the product made itself', () => {
  it('is exported once where changes have made two the same, and the one that counts stays', async () => {
    const [older, newer] = [
      await call('post', '/tuning', { chips: 'a', name: 'x', sensitivity: 2 }),
      await call('post', '/tuning', { chips: 'b', name: 'x', sensitivity: 3 }),
    ];
    await call('put', `/tuning/${String(older.data.tuning.id)}`, { chips: 'b' });
    const document = await exported('yaml');
    expect(document).toContain('sensitivity: 3');
    expect(new Set(await apply(document))).toEqual(new Set(['unchanged']));
    expect((await apply(document, { prune: true })).filter((action) => action !== 'unchanged')).toEqual(['removed']);
    expect((await call('get', '/tunings')).data.tunings).toMatchObject([{ id: newer.data.tuning.id }]);
  });

  it('of a name alone is changed where a document says other chips, and not another one of that name', async () => {
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
