/**
 * `npm run --silent sbom`: the bill of materials of the product, as CycloneDX, to standard output: every installed package that
 * package-lock.json does not mark as one for development. `npm sbom --omit dev` would do, if it did not leave out those that
 * development needs too.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const { status, stdout, stderr } = spawnSync('npm', ['sbom', '--sbom-format', 'cyclonedx'], {
  encoding: 'utf8',
  maxBuffer: 1 << 28,
});
if (status !== 0) {
  process.stderr.write(stderr);
  process.exit(1);
}

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const ofProduct = new Set(
  Object.entries(packages)
    .filter(([path, { dev }]) => path !== '' && !dev)
    .map(([path, { version }]) => `${path.replace(/^.*node_modules\//, '')}@${version}`),
);
const bill = JSON.parse(stdout);
const components = bill.components.filter(({ name, version }) => ofProduct.has(`${name}@${version}`));
const references = new Set([bill.metadata.component, ...components].map((component) => component['bom-ref']));
const dependencies = bill.dependencies
  .filter(({ ref }) => references.has(ref))
  .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((other) => references.has(other)) }));
process.stdout.write(`${JSON.stringify({ ...bill, components, dependencies }, null, 2)}\n`);
