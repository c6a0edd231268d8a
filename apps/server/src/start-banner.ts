import { type ServerConfig } from './common/config/server.config.js';
import { type FirstStart } from './people/setup/setup.types.js';

/** What the terminal says when the server is up: addresses, and on the first start the login and lines to copy. */
export function startBanner(config: ServerConfig, first: FirstStart | null): string[] {
  const { publicUrl, ingestUrl, managementPort } = config;
  const health = `http://localhost:${String(managementPort)}/readyz`;
  const addresses = ['', `Plumbline is up: ${servedBy(config)}  ·  health ${health}`];
  if (first === null) return [...addresses, ''];
  return [
    ...addresses,
    '',
    `  Organisation  ${first.orgName}`,
    `  Login         ${first.adminEmail}`,
    `  Password      ${first.isPasswordMadeUp ? first.adminPassword : '(as set by PLUMBLINE_ADMIN_PASSWORD)'}`,
    `  Read token    ${first.readToken}`,
    `  Ingest token  ${first.ingestToken}`,
    '  These are shown only once: store them.',
    '',
    'Try it:',
    `  curl -s -H 'X-Auth-Token: ${first.readToken}' '${publicUrl}/api/anomalies?limit=5'`,
    `  curl -s -H 'X-Auth-Token: ${first.ingestToken}' -H 'Content-Type: application/json' -w '%{http_code}\\n' \\`,
    `       -d '{"metric":"my.first.metric","value":42}' '${ingestUrl}/ingest/metrics'`,
    `  curl -s -H 'X-Auth-Token: ${first.readToken}' '${publicUrl}/api/metrics/search?q=first'`,
    '',
  ];
}

/** Only what the process serves: another one does the rest. */
function servedBy({ roles, publicUrl, ingestUrl }: ServerConfig): string {
  if (roles.includes('api')) return `API ${publicUrl}/api`;
  return roles.includes('ingest') ? `ingest ${ingestUrl}/ingest` : roles.join(', ');
}
