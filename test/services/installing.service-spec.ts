import { type ChildProcess, execFile } from 'node:child_process';
import { copyFile, cp, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { settingsOf } from '../../apps/server/src/common/config/setting.decorator.js';
import { productVersion } from '../../apps/server/src/common/product-version.js';
import { CONFIG_CLASSES } from '../../apps/server/src/config.registry.js';
import { freePort } from '../../scripts/free-port.mjs';
import { pack } from '../../scripts/release/pack.mjs';
import { ADMIN, PermanentError, until } from '../support/product.js';
import { endProgram, startProgram } from '../support/programs.js';

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, '../..');
const SETTINGS = CONFIG_CLASSES.flatMap((configClass) => settingsOf(configClass).map(({ env }) => env));
/** Exceeds the time limit of a request body, for which the product waits. */
const STOP_SECONDS = 180;

const textOf = (file: string): Promise<string> => readFile(join(ROOT, file), 'utf8');

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plumbline-installing-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the tarball', () => {
  let tarball: string;
  let files: string[];

  beforeAll(async () => {
    tarball = await pack(ROOT, folder);
    const { stdout } = await run('tar', ['-tzf', tarball], { maxBuffer: 1 << 24 });
    files = stdout.split('\n').filter((name) => name !== '');
  });

  it('contains only the program, the console, the guides and the lock file', async () => {
    const expected = [
      /^package\/(?:package\.json|npm-shrinkwrap\.json|LICENSE|README\.md|CHANGELOG\.md|SECURITY\.md)$/,
      /^package\/bin\/plumbline\.mjs$/,
      /^package\/dist\/(?:apps\/(?:cli|server)|libs)\/[\w/.-]+\.js$/,
      /^package\/deploy\/systemd\/plumbline\.service$/,
      /^package\/dist\/ormconfig\.js$/,
      /^package\/dist\/console\/(?:index\.html|favicon\.svg|licences\.md)$/,
      /^package\/dist\/console\/assets\/[\w/.-]+\.(?:js|css|html|svg|png|woff2)(?:\.br|\.gz)?$/,
      /^package\/dist\/console\/(?:index\.html|favicon\.svg|licences\.md)\.(?:br|gz)$/,
      /^package\/dist\/docs\/(?:[\w-]+\/)*[\w.-]+\.(?:js|css|html|json|svg|png|csv|md)(?:\.br|\.gz)?$/,
      /^package\/docs\/(?:[\w-]+|guide\/[\w-]+)\.md$/,
      /^package\/docs\/examples\/latency\.csv$/,
    ];
    expect(files.filter((name) => !expected.some((pattern) => pattern.test(name)))).toEqual([]);
    expect(files.filter((name) => /\bspec\b|\.(?:map|tsx?)$|\/(?:src\/)?testdata\//.test(name))).toEqual([]);
    for (const part of [
      'dist/apps/cli/src/main.js',
      'dist/console/index.html',
      'dist/docs/index.html',
      'docs/guide/installing.md',
    ]) {
      expect(files).toContain(`package/${part}`);
    }
    expect((await stat(tarball)).size).toBeLessThan(10_000_000);
  });

  /**
   * The packages are links to those of the product in node_modules of the repository, without a registry. So this does
   * not test that npm installs them from the tarball.
   */
  it('starts from its content with only the packages of the product, and serves the console', async () => {
    await run('tar', ['-xzf', tarball, '-C', folder]);
    const installed = join(folder, 'package');
    await linkPackages(installed);
    const empty = join(folder, 'empty');
    await mkdir(empty);
    const command = [join(installed, 'bin/plumbline.mjs')];
    expect((await run(process.execPath, [...command, '--version'], { cwd: empty })).stdout).toBe(
      `${productVersion()}\n`,
    );

    const [port, managementPort] = [await freePort(), await freePort()];
    const env = {
      ...process.env,
      ...ADMIN,
      NODE_OPTIONS: '',
      PORT: String(port),
      MANAGEMENT_PORT: String(managementPort),
      PLUMBLINE_DEMO: 'off',
      PLUMBLINE_WARM_UP: 'off',
    };
    let program: ChildProcess | undefined;
    let output = '';
    try {
      const started = startProgram(
        process.execPath,
        [...command, 'serve'],
        { cwd: empty, env, stdio: ['ignore', 'pipe', 'pipe'] },
        join(empty, '.plumbline'),
      );
      program = started;
      started.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
      started.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
      await until(
        'the product to be ready',
        async () => {
          if (started.exitCode !== null)
            throw new PermanentError(`It ended with ${String(started.exitCode)}: ${output}`);
          return (await fetch(`http://127.0.0.1:${String(managementPort)}/readyz`)).ok;
        },
        { timeoutMs: 115_000 },
      );
      const page = await fetch(`http://127.0.0.1:${String(port)}/`, { headers: { Accept: 'text/html' } });
      expect(page.status).toBe(200);
      const [, script] = /src="(\/assets\/[^"]+\.js)"/.exec(await page.text()) ?? [];
      expect((await fetch(`http://127.0.0.1:${String(port)}${script!}`)).status).toBe(200);
      expect((await fetch(`http://127.0.0.1:${String(port)}/docs/guide/console.html`)).status).toBe(200);
    } finally {
      expect(await endProgram(program)).toBe(0);
    }
  });
});

/** Links the packages that package-lock.json does not mark as dev, where `npm ci --omit=dev` would put them. */
async function linkPackages(installed: string): Promise<void> {
  const { packages } = JSON.parse(await textOf('package-lock.json')) as { packages: Record<string, { dev?: boolean }> };
  const direct = Object.keys(packages).filter(
    (path) => /^node_modules\/(?:@[^/]+\/)?[^/]+$/.test(path) && !packages[path]!.dev,
  );
  for (const path of direct) {
    // Packages for other platforms are not installed.
    if (!(await stat(join(ROOT, path)).catch(() => null))) continue;
    await mkdir(dirname(join(installed, path)), { recursive: true });
    await symlink(join(ROOT, path), join(installed, path));
  }
}

interface ComposeService {
  image: string;
  user?: string;
  read_only: boolean;
  cap_drop: string[];
  security_opt: string[];
  environment: Record<string, string>;
  healthcheck: { test: string[] };
  networks: Record<string, null>;
  ports?: string[];
  profiles?: string[];
  stop_grace_period: string;
  volumes?: string[];
}

interface Composition {
  services: Record<string, ComposeService>;
  networks: Record<string, { internal?: boolean }>;
}

/**
 * Checked and resolved by docker-compose of Debian, which needs no engine for that and includes the schema of the
 * specification.
 */
describe('deploy/compose.yaml', () => {
  let composition: Composition;

  /** Resolves the composition as the guide describes: .env is the example with both secrets filled in. */
  async function resolved(secrets: Record<string, string>): Promise<Composition> {
    const place = await mkdtemp(join(folder, 'compose-'));
    await cp(join(ROOT, 'deploy/compose.yaml'), join(place, 'compose.yaml'));
    let env = await textOf('deploy/compose.env.example');
    for (const [name, value] of Object.entries(secrets)) env = env.replace(`\n${name}=\n`, `\n${name}=${value}\n`);
    await writeFile(join(place, '.env'), env);
    const { stdout } = await run('docker-compose', ['--profile', 'mail', 'config'], { cwd: place });
    return parse(stdout) as Composition;
  }

  beforeAll(async () => {
    composition = await resolved({ POSTGRES_PASSWORD: 'abc', PLUMBLINE_SECRET_KEY: 'def=' });
  });

  it('is valid, and has the product, its database and, in a profile, a mail catcher', () => {
    const { services } = composition;
    expect(Object.keys(services).sort()).toEqual(['database', 'mail', 'plumbline']);
    expect(services.mail!.profiles).toEqual(['mail']);
    expect(services.plumbline!.image).toBe(`plumbline:${productVersion()}`);
    expect(services.database!.image).toMatch(/^postgres:17\b/);
    expect(services.database!.volumes).toEqual([expect.stringMatching(/^database:/)]);
  });

  it.each(['plumbline', 'database', 'mail'])(
    'runs %s unprivileged on a read-only file system, with a health check',
    (name) => {
      const service = composition.services[name]!;
      expect(service).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      });
      expect(service.healthcheck.test[0]).toBe('CMD');
      // The image of the product sets its user itself.
      expect(service.user === undefined).toBe(name === 'plumbline');
      expect(service.user ?? '').not.toMatch(/^(?:root|0)\b/);
    },
  );

  it('makes the database reachable only for the product, and publishes ports only on localhost', () => {
    const { services, networks } = composition;
    expect(networks.database).toEqual({ internal: true });
    const inside = Object.keys(services).filter((name) => 'database' in services[name]!.networks);
    expect(inside.sort()).toEqual(['database', 'plumbline']);
    expect(services.database!.ports).toBeUndefined();
    const published = [...services.plumbline!.ports!, ...services.mail!.ports!];
    expect(published.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
  });

  it('passes the secrets and a stop grace period to the product, and sets only known settings', () => {
    const { environment, stop_grace_period: grace } = composition.services.plumbline!;
    expect(environment).toMatchObject({
      DATABASE_URL: 'postgres://plumbline:abc@database:5432/plumbline',
      PLUMBLINE_SECRET_KEY: 'def=',
    });
    expect(grace).toBe(`${String(STOP_SECONDS / 60)}m`);
    const ofCompose = ['COMPOSE_PROJECT_NAME', 'LISTEN', 'POSTGRES_PASSWORD'];
    expect([...SETTINGS, ...ofCompose]).toEqual(expect.arrayContaining(Object.keys(environment)));
  });

  it.each(['POSTGRES_PASSWORD', 'PLUMBLINE_SECRET_KEY'])('does not start without %s', async (name) => {
    const secrets = { POSTGRES_PASSWORD: 'abc', PLUMBLINE_SECRET_KEY: 'def=' };
    await expect(resolved({ ...secrets, [name]: '' })).rejects.toThrow('is missing in .env');
  });

  it('has an example that contains only known settings, including those commented out', async () => {
    const names = [...(await textOf('deploy/compose.env.example')).matchAll(/^#?([A-Z][A-Z0-9_]*)=/gm)].map(
      ([, name]) => name,
    );
    const ofCompose = ['COMPOSE_PROJECT_NAME', 'LISTEN', 'POSTGRES_PASSWORD'];
    expect([...SETTINGS, ...ofCompose]).toEqual(expect.arrayContaining(names));
  });
});

describe('deploy/systemd/plumbline.service', () => {
  let unit: string;

  beforeAll(async () => {
    unit = join(folder, 'plumbline.service');
    await copyFile(join(ROOT, 'deploy/systemd/plumbline.service'), unit);
  });

  it('passes systemd-analyze verify without messages', async () => {
    // systemd checks that programs exist, so the path of Node is set to that of this machine.
    const checked = join(folder, 'checked.service');
    await writeFile(checked, (await readFile(unit, 'utf8')).replace('=/usr/bin/node ', `=${process.execPath} `));
    const { stdout, stderr } = await run('systemd-analyze', ['verify', '--man=no', checked]);
    // systemd-analyze also reports faults of other units of the machine.
    const serviceLines = `${stdout}${stderr}`.split('\n').filter((line) => line.includes('checked.service'));
    expect(serviceLines).toEqual([]);
  });

  it('has an exposure of at most 20 in systemd-analyze security', async () => {
    // Of 100; without these lines a service has 96. Exits with 1 above the threshold.
    await run('systemd-analyze', ['security', '--offline=true', '--threshold=20', '--no-pager', unit]);
  });

  it('allows enough time to stop, and restarts except after exit code 2', async () => {
    const text = await readFile(unit, 'utf8');
    const linesOf = (name: string): string[] =>
      [...text.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map((m) => m[1]!);
    expect(linesOf('TimeoutStopSec')).toEqual([String(STOP_SECONDS)]);
    expect(linesOf('KillMode')).toEqual(['mixed']);
    expect(linesOf('Restart')).toEqual(['always']);
    expect(linesOf('RestartPreventExitStatus')).toEqual(['2']);
    const set = linesOf('Environment').map((line) => line.split('=')[0]!);
    expect([...SETTINGS, 'NODE_ENV']).toEqual(expect.arrayContaining(set));
  });
});
