/**
 * Adds to package-lock.json the optional platform packages that `npm install` left out because its registry does not
 * have them (a mirror often has one platform only). Without their entries `npm ci` fails on every platform, because the
 * lock file is out of sync. Versions come from the packages that depend on them, platforms from their names; these
 * entries have no checksum. Run after `npm install`: `npm run lock`.
 */
import { readFile, writeFile } from 'node:fs/promises';

const FILE = new URL('../package-lock.json', import.meta.url);
const SYSTEMS = ['darwin', 'linux', 'win32', 'freebsd', 'android', 'openharmony', 'aix', 'sunos', 'wasm32'];
const PROCESSORS = ['x64', 'arm64', 'arm', 'ia32', 'ppc64', 's390x', 'riscv64', 'loong64'];

/** os and cpu of a name such as `@scope/name-linux-arm-gnueabihf`; undefined if the name contains none. */
function platformOf(name) {
  const words = name.split('-');
  const at = words.findIndex((word) => SYSTEMS.some((system) => word === system || word.endsWith(`/${system}`)));
  const system = at < 0 ? undefined : words[at].split('/').at(-1);
  const processor = words[at + 1];
  return system !== undefined && PROCESSORS.includes(processor) ? { os: [system], cpu: [processor] } : undefined;
}

const lock = JSON.parse(await readFile(FILE, 'utf8'));
const added = [];
for (const [path, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    const nested = `${path}/node_modules/${name}`;
    const key = `node_modules/${name}`;
    if (lock.packages[key] !== undefined || lock.packages[nested] !== undefined) continue;
    const platform = platformOf(name);
    if (platform === undefined || !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) {
      throw new Error(`${path} asks for ${name}@${version}: cannot tell its platform or version`);
    }
    const kind = entry.dev ? { dev: true } : {};
    lock.packages[key] = { version, cpu: platform.cpu, ...kind, optional: true, os: platform.os };
    added.push(`${name}@${version}`);
  }
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
await writeFile(FILE, `${JSON.stringify(lock, null, 2)}\n`);
console.log(added.length === 0 ? 'package-lock.json is complete' : `added ${added.join(', ')}`);
