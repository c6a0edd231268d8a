import { type ServerConfig } from './common/config/server.config.js';
import { type FirstStart } from './setup/setup.types.js';

/** What the terminal says when the server is up: addresses, and on the first start the login and lines to copy. */
export function startBanner(config: ServerConfig, first: FirstStart | null): string[] {
  const { publicUrl, ingestUrl, managementPort } = config;
  const addresses = [
    '',
    `Plumbline is up: API ${publicUrl}/api  ·  health http://localhost:${String(managementPort)}/readyz`,
  ];
  if (first === null) return [...addresses, ''];
  return [
    ...addresses,
    '',
    `  Organisation  ${first.orgName}`,
    `  Login         ${first.adminEmail}`,
    `  Password      ${first.isPasswordMadeUp ? first.adminPassword : '(as set by PLUMBLINE_ADMIN_PASSWORD)'}`,
    `  Read token    ${first.readToken}`,
    `  Ingest token  ${first.ingestToken}`,
    '  These are shown once: keep them.',
    '',
    'Try it:',
    `  curl -s -H 'X-Auth-Token: ${first.readToken}' '${publicUrl}/api/anomalies?limit=5'`,
    `  curl -s -H 'X-Auth-Token: ${first.ingestToken}' -H 'Content-Type: application/json' -w '%{http_code}\\n' \\`,
    `       -d '{"metric":"my.first.metric","value":42}' '${ingestUrl}/ingest/metrics'`,
    `  curl -s -H 'X-Auth-Token: ${first.readToken}' '${publicUrl}/api/metrics/search?q=first'`,
    '',
  ];
}
