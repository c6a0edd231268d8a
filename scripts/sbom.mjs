/**
 * `npm run --silent sbom`: prints the bill of materials of the product as CycloneDX: every installed package that is
 * not a development package, and those that the console imports. Run it before development packages are removed.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { productPackages } from './product-packages.mjs';

const { status, stdout, stderr } = spawnSync(
  'npm',
  ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application'],
  { encoding: 'utf8', maxBuffer: 1 << 28 },
);
if (status !== 0) {
  process.stderr.write(stderr);
  process.exit(1);
}

const ofProduct = new Set(
  [...productPackages('.')].map(([path, { version }]) => `${path.replace(/^.*node_modules\//, '')}@${version}`),
);
const bill = JSON.parse(stdout);
const components = bill.components
  .filter(({ name, version }) => ofProduct.has(`${name}@${version}`))
  // Some development packages of npm are part of the console.
  .map(({ properties = [], ...component }) => ({
    ...component,
    properties: properties.filter(({ name }) => name !== 'cdx:npm:package:development'),
  }));
const references = new Set([bill.metadata.component, ...components].map((component) => component['bom-ref']));
const dependencies = bill.dependencies
  .filter(({ ref }) => references.has(ref))
  .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((other) => references.has(other)) }));
// The same product must give the same bill: npm adds a random number and the time of day.
const { SOURCE_DATE_EPOCH } = process.env;
const { timestamp: _, ...metadata } = bill.metadata;
// npm uses the name of the folder.
metadata.component.name = JSON.parse(readFileSync('package.json', 'utf8')).name;
if (SOURCE_DATE_EPOCH) metadata.timestamp = new Date(1000 * Number(SOURCE_DATE_EPOCH)).toISOString();
const content = { ...bill, metadata, components, dependencies };
delete content.serialNumber;
const hash = createHash('sha256').update(JSON.stringify(content)).digest('hex');
// A UUID of version 8, whose bits are free to use.
const groups = [
  hash.slice(0, 8),
  hash.slice(8, 12),
  `8${hash.slice(13, 16)}`,
  `8${hash.slice(17, 20)}`,
  hash.slice(20, 32),
];
const { bomFormat, specVersion, ...rest } = content;
const signed = { bomFormat, specVersion, serialNumber: `urn:uuid:${groups.join('-')}`, ...rest };
process.stdout.write(`${JSON.stringify(signed, null, 2)}\n`);
