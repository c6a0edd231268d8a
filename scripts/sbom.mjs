/**
 * `npm run --silent sbom`: the bill of materials of the product, as CycloneDX, to standard output: every installed package that
 * is no package for development, and those that the console is built of. To be run before packages for development are removed.
 */
import { spawnSync } from 'node:child_process';
import { productPackages } from './product-packages.mjs';

const { status, stdout, stderr } = spawnSync('npm', ['sbom', '--sbom-format', 'cyclonedx'], {
  encoding: 'utf8',
  maxBuffer: 1 << 28,
});
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
  // What npm calls a package for development is part of the console here.
  .map(({ properties = [], ...component }) => ({
    ...component,
    properties: properties.filter(({ name }) => name !== 'cdx:npm:package:development'),
  }));
const references = new Set([bill.metadata.component, ...components].map((component) => component['bom-ref']));
const dependencies = bill.dependencies
  .filter(({ ref }) => references.has(ref))
  .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((other) => references.has(other)) }));
process.stdout.write(`${JSON.stringify({ ...bill, components, dependencies }, null, 2)}\n`);
