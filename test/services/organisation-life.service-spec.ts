import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { Mailbox } from '../support/mailbox.js';
import { type Product, startProduct } from '../support/product.js';

const run = promisify(execFile);
const SCRIPT = resolve(import.meta.dirname, 'organisation-life.sh');

/** Runs the script with curl against the product and a real mail server. */
describe('organisation-life.sh', () => {
  let product: Product;
  let mailbox: Mailbox;
  let mails: string;
  let sorting: NodeJS.Timeout;

  beforeAll(async () => {
    mailbox = await Mailbox.start();
    mails = await mkdtemp(join(tmpdir(), 'plumbline-mails-'));
    product = await startProduct({ ...mailbox.env, SIGNUP_MODE: 'open', PLUMBLINE_LIMIT_SIGNUP_ADDRESS: '100' });
    let sorted = 0;
    const counts = new Map<string, number>();
    sorting = setInterval(() => {
      for (const mail of mailbox.all.slice(sorted)) {
        sorted++;
        const number = (counts.get(mail.recipient) ?? 0) + 1;
        counts.set(mail.recipient, number);
        void writeFile(join(mails, `${mail.recipient}.${String(number)}.txt`), mail.text ?? '');
      }
    }, 50);
  }, 120_000);

  afterAll(async () => {
    clearInterval(sorting);
    await product.dispose();
    await mailbox.close();
    await rm(mails, { recursive: true, force: true });
  }, 120_000);

  it.each(['json', 'form'])(
    'succeeds with bodies in the form of %s',
    async (form) => {
      const env = { ...process.env, BASE: `${product.url}/api`, INGEST: product.url, MAIL_DIR: mails, FORM: form };
      const { stdout } = await run('bash', [SCRIPT], { env }).catch((error: unknown) => {
        const { stdout: stdoutText, stderr } = error as { stdout: string; stderr: string };
        throw new Error(`${stdoutText}${stderr}`);
      });
      expect(stdout).toContain(`The life of an organisation by ${form} went as it should`);
    },
    120_000,
  );
});
