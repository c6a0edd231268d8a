/**
 * `npm run image:content`: writes the content of the image on top of its base, as the Dockerfile builds it on this
 * platform, into docs/guide/image.md. Needs the packages (`npm ci`) and the builds (`npm run build`, `npm run
 * build:console`).
 */
import { existsSync, lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const PAGE = join(ROOT, 'docs/guide/image.md');
const [BEGIN, END] = ['<!-- image-content: written by npm run image:content -->', '<!-- /image-content -->'];
const MOST = 10;

/** Files that the Dockerfile removes from `dist` and from the packages. */
const isLeftOut = (path) =>
  /\.(?:[cm]?[jt]s|css)\.map$|\.d\.[cm]?ts$/.test(path) ||
  path === 'dist/.tsbuildinfo' ||
  path.startsWith('dist/libs/evaluation/');
/** Packages that npm keeps and the Dockerfile removes. */
const LEFT_OUT_PACKAGES = new Set(['node_modules/typescript']);

/** Bytes and number of the files below a folder, without nested packages. */
function sizeOf(folder, isOwn = () => true) {
  const sum = { bytes: 0, files: 0 };
  for (const entry of readdirSync(join(ROOT, folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) {
      if (!isOwn(path)) continue;
      const below = sizeOf(path, isOwn);
      sum.bytes += below.bytes;
      sum.files += below.files;
    } else if (!isLeftOut(path)) {
      sum.bytes += lstatSync(join(ROOT, path)).size;
      sum.files++;
    }
  }
  return sum;
}

const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
const installed = Object.keys(packages)
  .filter((path) => path !== '' && !packages[path].dev && !LEFT_OUT_PACKAGES.has(path))
  .filter((path) => existsSync(join(ROOT, path)))
  .map((path) => ({
    name: path.replace(/^.*node_modules\//, ''),
    version: packages[path].version,
    ...sizeOf(path, (folder) => !folder.endsWith('/node_modules')),
  }))
  .sort((one, other) => other.bytes - one.bytes);

const parts = [
  [
    `\`node_modules\`: ${String(installed.length)} packages`,
    {
      bytes: installed.reduce((sum, { bytes }) => sum + bytes, 0),
      files: installed.reduce((sum, { files }) => sum + files, 0),
    },
  ],
  ['`dist/apps`, `dist/libs`: the program', sum(sizeOf('dist/apps'), sizeOf('dist/libs'))],
  ['`dist/console`: the console and its guides', sizeOf('dist/console')],
  ['`bin`', sizeOf('bin')],
];

function sum(one, other) {
  return { bytes: one.bytes + other.bytes, files: one.files + other.files };
}

const megabytes = (bytes) => (bytes / 1e6).toFixed(1);
const whole = parts.reduce((all, [, part]) => sum(all, part), { bytes: 0, files: 0 });
const table = [
  `On ${process.platform} ${process.arch}:`,
  '',
  '| Part | Files | MB |',
  '| --- | ---: | ---: |',
  ...[...parts, ['together', whole]].map(
    ([name, { files, bytes }]) => `| ${name} | ${files.toLocaleString('en')} | ${megabytes(bytes)} |`,
  ),
  '',
  'The largest packages:',
  '',
  '| Package | MB |',
  '| --- | ---: |',
  ...installed.slice(0, MOST).map(({ name, version, bytes }) => `| \`${name}\` ${version} | ${megabytes(bytes)} |`),
].join('\n');

const page = readFileSync(PAGE, 'utf8');
const [before, after] = [page.slice(0, page.indexOf(BEGIN)), page.slice(page.indexOf(END))];
writeFileSync(PAGE, `${before}${BEGIN}\n\n${table}\n\n${after}`);
process.stdout.write(`${table}\n`);
