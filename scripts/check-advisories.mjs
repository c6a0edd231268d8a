/**
 * `npm run audit:advisories`: fails if a package of the product or of its console has a known advisory with severity
 * high or critical. If the registry does not support advisories (a mirror, a closed network), it reports that and
 * succeeds.
 */
import { spawnSync } from 'node:child_process';
import { productPackages } from './product-packages.mjs';

const { stdout, stderr, error } = spawnSync('npm', ['audit', '--audit-level=high', '--json'], {
  encoding: 'utf8',
  maxBuffer: 1 << 28,
});
if (error) throw error;

const report = parsed(stdout);
if (report?.auditReportVersion === undefined) {
  const reason = report?.message ?? stderr.trim().split('\n').at(-1) ?? 'no answer';
  console.log(`NOT CHECKED: the registry does not answer questions about advisories (${reason})`);
  process.exit(0);
}

const ofProduct = productPackages('.');
const known = Object.values(report.vulnerabilities).filter(({ nodes }) => nodes.some((path) => ofProduct.has(path)));
const grave = known.filter(({ severity }) => ['high', 'critical'].includes(severity));
for (const { name, severity, range, via } of grave) {
  const why = via.map((cause) => (typeof cause === 'string' ? `by way of ${cause}` : `${cause.title}, ${cause.url}`));
  console.log(`${name} ${range}: ${severity}: ${why.join('; ')}`);
}
console.log(`${String(grave.length)} packages with high or critical advisories, ${String(known.length)} with any`);
process.exit(grave.length === 0 ? 0 : 1);

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
