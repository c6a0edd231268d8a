import { Mailbox } from '../support/mailbox.js';
import { ADMIN, type Product, startProduct } from '../support/product.js';
import { Slack } from '../support/slack.js';
import { commandsOf, paste } from './guide-commands.js';

const GUIDES = [
  'admin-alerts',
  'alerting-alertmanager',
  'alerting-pagerduty',
  'alerting-sms',
  'alerting-webhook',
  'alerts',
  'alerts-chat',
  'alerts-email',
  'alerts-teams',
  'too-many-anomalies',
  'watchers',
];
const CHAT_TOKEN = 'xoxb-17653672481-19874698323-pdFZKVeTuE8s';

/** Runs every command of the guides about alerts in a shell. */
describe('the guides about alerts', () => {
  let product: Product;
  let mailbox: Mailbox;
  let slack: Slack;
  let env: NodeJS.ProcessEnv;
  let userId: number;

  beforeAll(async () => {
    mailbox = await Mailbox.start();
    slack = await Slack.start({ token: CHAT_TOKEN });
    slack.channels = [{ id: 'C1', name: 'ops', is_member: true }];
    product = await startProduct({ ...mailbox.env, ...slack.env, LOGIN_CODE: 'off', PLUMBLINE_OUTGOING: 'any' });
    const answer = await fetch(`${product.url}/api/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: ADMIN.PLUMBLINE_ADMIN_EMAIL, password: ADMIN.PLUMBLINE_ADMIN_PASSWORD }),
    });
    const { data } = (await answer.json()) as { data: { session: { id: string; user: { id: number } } } };
    userId = data.session.user.id;
    const token = await product.createToken(['read', 'write', 'alert', 'admin']);
    env = {
      ...process.env,
      ...{ SESSION: data.session.id, TOKEN: token, ADMIN: token },
      ...{ URL: product.url, PLUMBLINE_URL: product.url },
    };
  }, 120_000);

  afterAll(async () => {
    await product.dispose();
    await slack.close();
    await mailbox.close();
  }, 120_000);

  /** Replaces the placeholders of the guides with values of this test. */
  function filledIn(commands: string): string {
    return commands
      .replaceAll('http://localhost:3000', product.url)
      .replaceAll('32 characters', 'a'.repeat(32))
      .replaceAll('xoxb-…', CHAT_TOKEN)
      .replaceAll('https://…', 'https://teams.example.org/workflow')
      .replaceAll('AC…', 'AC1')
      .replaceAll('…', 'secret')
      .replaceAll(/\b101(?:,102)?\b/g, String(userId));
  }

  it.each(GUIDES)('%s: each command is answered with 200', async (guide) => {
    const blocks = commandsOf(guide);
    expect(blocks.length).toBeGreaterThan(0);
    for (const block of blocks) {
      const commands = filledIn(block);
      const { stdout, statuses } = await paste(commands, { env });
      const wanted = commands.match(/^ *curl /gm)!.map(() => '200');
      expect({ commands, stdout, statuses }).toMatchObject({ commands, statuses: wanted });
    }
  });

  it('a new watcher sends its test alert', async () => {
    const [create] = commandsOf('watchers');
    const again = filledIn(create!).replace('"name": "API"', '"name": "API again"');
    const { stdout } = await paste(again, { env });
    const { data } = JSON.parse(stdout.split('\n')[0]!) as {
      data: { test_results: { channel: string; ok: boolean }[] };
    };
    expect(data.test_results).toContainEqual({ channel: 'chat', recipient: '#ops', ok: true, message: 'OK' });
    expect(slack.messages.length).toBeGreaterThan(0);
  });
});
