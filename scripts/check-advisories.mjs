/**
 * `npm run audit:advisories`: fails when a package that the product needs has a known advisory that is high or critical. A
 * registry that does not answer such questions (a mirror, a closed network) is said clearly and is no failure.
 */
import { spawnSync } from 'node:child_process';

const { stdout, stderr, error } = spawnSync('npm', ['audit', '--omit=dev', '--audit-level=high', '--json'], {
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

const grave = Object.values(report.vulnerabilities).filter(({ severity }) => ['high', 'critical'].includes(severity));
for (const { name, severity, range, via } of grave) {
  const why = via.map((cause) => (typeof cause === 'string' ? `by way of ${cause}` : `${cause.title}, ${cause.url}`));
  console.log(`${name} ${range}: ${severity}: ${why.join('; ')}`);
}
const { total } = report.metadata.vulnerabilities;
console.log(`${String(grave.length)} packages with high or critical advisories, ${String(total)} with any`);
process.exit(grave.length === 0 ? 0 : 1);

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
