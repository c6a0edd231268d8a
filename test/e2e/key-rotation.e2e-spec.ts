import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { randomBytes } from 'node:crypto';
import { rename, writeFile } from 'node:fs/promises';
import { type Product, startProduct, until } from '../support/product.js';
import { startProgram } from '../support/programs.js';

const ROOT = resolve(import.meta.dirname, '../..');

describe('the secret key of a running product', () => {
  let product: Product;
  let session: string;
  let token: string;

  beforeAll(async () => {
    product = await startProduct();
    const login = await fetch(`${product.url}/api/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: 'admin@example.org', password: 'correct horse battery staple' }),
    });
    session = ((await login.json()) as { data: { session: { id: string } } }).data.session.id;
    token = await product.createToken(['read', 'admin']);
  }, 120_000);

  afterAll(() => product.dispose());

  async function plumbline(...args: string[]): Promise<{ code: number | null; out: string; err: string }> {
    const child = startProgram(process.execPath, [join(ROOT, 'dist/apps/cli/src/main.js'), ...args], {
      cwd: ROOT,
      env: { ...process.env, NODE_OPTIONS: '', PORT: '0', MANAGEMENT_PORT: '0', PLUMBLINE_DATA: product.dataFolder },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [out, err, [code]] = await Promise.all([
      text(child.stdout!),
      text(child.stderr!),
      once(child, 'exit') as Promise<[number | null]>,
    ]);
    return { code, out, err };
  }

  const statusOf = async (headers: Record<string, string>): Promise<number> =>
    (await fetch(`${product.url}/api/org/info`, { headers })).status;

  const whoIsIn = async (): Promise<number[]> => [
    await statusOf({ 'X-Session-Id': session }),
    await statusOf({ 'X-Auth-Token': token }),
  ];

  async function shownTokens(): Promise<string[]> {
    const answer = await fetch(`${product.url}/api/org/tokens?reveal=true`, { headers: { 'X-Session-Id': session } });
    const { data } = (await answer.json()) as { data: { tokens: { id: string }[] } };
    return data.tokens.map(({ id }) => id);
  }

  it('is rotated at run time without ending sessions or changing tokens', async () => {
    const shown = await shownTokens();
    expect(shown).toContain(token);
    let isDone = false;
    const refused: number[][] = [];
    const watching = until('the rotation', async () => {
      const answers = await whoIsIn();
      if (answers.some((status) => status !== 200)) refused.push(answers);
      return isDone || undefined;
    });
    const rotated = await plumbline('key', 'rotate').finally(() => (isDone = true));
    await watching;
    expect(rotated).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^The key [0-9a-f]{8} is in use; \d+ sealed/) as string,
    });
    expect(refused).toEqual([]);
    expect(await shownTokens()).toEqual(shown);
    // The running server creates secrets under the new key from now on.
    const created = await product.createToken(['read']);
    const { out } = await plumbline('key', 'status');
    expect(out).toMatch(/in use .* [1-9]\d* sealed copies\n.*previous .* 0 sealed copies\n/);
    expect(out).toMatch(/\d+ sessions\n/);
    expect(await statusOf({ 'X-Auth-Token': created })).toBe(200);
    const acts = (await product.api('/audit?action=key.', token)) as { entries: { actor: { type: string } }[] };
    expect(acts.entries.map(({ actor }) => actor.type)).toEqual(['operator']);
  }, 120_000);

  it('keeps sessions valid over a restart until the previous key is forgotten', async () => {
    await product.stop();
    await product.restart();
    expect(await whoIsIn()).toEqual([200, 200]);
    const refused = await plumbline('key', 'forget-previous');
    expect(refused.code).toBe(2);
    expect(refused.err).toMatch(/These become invalid with the previous key: \d+ sessions/);
    expect(await whoIsIn()).toEqual([200, 200]);
    expect((await plumbline('key', 'forget-previous', '--force')).code).toBe(0);
    await until('the session to end', async () => (await statusOf({ 'X-Session-Id': session })) === 401 || undefined);
    expect(await statusOf({ 'X-Auth-Token': token })).toBe(200);
  }, 120_000);

  it('blocks a start when it does not match the database, and names the file with the right key', async () => {
    await product.stop();
    const file = join(product.dataFolder, 'secret.key');
    await rename(file, `${file}.away`);
    await writeFile(file, randomBytes(32).toString('base64'));
    const message = /The secret key is not the one of this database\. .*secret\.key has the key/;
    const serve = await plumbline('serve');
    expect(serve.code).toBe(2);
    expect(serve.err).toMatch(message);
    const create = await plumbline('token', 'create', '--permissions', 'read');
    expect(create).toMatchObject({ code: 2, out: '' });
    expect(create.err).toMatch(message);
    await rename(`${file}.away`, file);
    await product.restart();
    expect(await statusOf({ 'X-Auth-Token': token })).toBe(200);
  }, 120_000);
});
