import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { Installation } from '../../../test/support/cli-installation.js';

const ROOT = resolve(import.meta.dirname, '../../..');
const PROGRAM = join(ROOT, 'dist/apps/cli/src/main.js');
const RECORDER = join(ROOT, 'test/support/record-modules.mjs');

/** Modules that take long to load and that commands about organisations, users, tokens and keys do not need. */
const OF_THE_APPLICATION =
  /node_modules\/(@nestjs\/(core|swagger|typeorm|platform-express)|echarts|class-validator\/cjs\/index|libphonenumber-js|pino|express)\b|dist\/apps\/server\/src\/(app\.module|bootstrap)/;

let installation: Installation;

beforeAll(async () => {
  installation = await Installation.create();
  await installation.anOrg('Example Ltd');
});
afterAll(() => installation.close());

/** The modules that the built program loads for a command that succeeds. */
async function modulesOf(args: readonly string[]): Promise<string[]> {
  const file = join(installation.dataFolder, `modules-${args.join('-').replaceAll(/\W+/g, '-')}`);
  const env = { ...process.env, NODE_OPTIONS: '', MODULES_FILE: file };
  await promisify(execFile)(process.execPath, ['--import', RECORDER, PROGRAM, ...args], { env });
  return (await readFile(file, 'utf8')).split('\n');
}

describe('a command', () => {
  it.each([
    ['org create Another'],
    ['org delete Another --yes'],
    ['user create --org 1 --email ada@example.org'],
    ['user set-password ada@example.org'],
    ['user disable ada@example.org'],
    ['user enable ada@example.org'],
    ['user remove ada@example.org --yes'],
    ['token create --org 1 --permissions ingest'],
    ['key status'],
    ['migrate --dry-run'],
  ])('%s does not load the application', async (line) => {
    const modules = await modulesOf(line.split(' '));
    expect(modules.filter((path) => path.includes('/dist/apps/cli/'))).not.toEqual([]);
    expect(modules.filter((path) => OF_THE_APPLICATION.test(path))).toEqual([]);
  });

  it.each([['org list'], ['user list --org 1']])('%s does not load Nest and TypeORM', async (line) => {
    const modules = await modulesOf(line.split(' '));
    expect(modules.filter((path) => path.includes('/dist/apps/cli/'))).not.toEqual([]);
    expect(modules.filter((path) => /node_modules\/(@nestjs|typeorm|rxjs)\//.test(path))).toEqual([]);
  });

  it('status does not load Nest, TypeORM and the PostgreSQL client', async () => {
    const management = createServer(({ url }, response) => response.end(url === '/readyz' ? '[]' : '{}'));
    await once(management.listen(0, '127.0.0.1'), 'listening');
    process.env.MANAGEMENT_PORT = String((management.address() as AddressInfo).port);
    const modules = await modulesOf(['status', '--json']);
    management.closeAllConnections();
    management.close();
    expect(modules.filter((path) => path.includes('/dist/apps/cli/'))).not.toEqual([]);
    expect(modules.filter((path) => /node_modules\/(@nestjs|typeorm|rxjs|pg)\//.test(path))).toEqual([]);
  });

  it.each([['--version'], ['--help'], ['user create --help']])(
    '%s does not load the packages of the server',
    async (line) => {
      const modules = await modulesOf(line.split(' '));
      expect(modules.filter((path) => /node_modules\/(typeorm|@nestjs|pg|echarts)\//.test(path))).toEqual([]);
    },
  );
});
