import { type ServerConfig } from './common/config/server.config.js';
import { type FirstStart } from './people/setup/setup.types.js';

/** The text in the terminal after the start: addresses, and on the first start the login and lines to copy. */
export function startBanner(config: ServerConfig, first: FirstStart | null, { hasConsole = false } = {}): string[] {
  const { publicUrl, ingestUrl, managementPort } = config;
  const health = `http://localhost:${String(managementPort)}/readyz`;
  const addresses = ['', `Plumbline is up: ${servedBy(config, hasConsole)}  ·  health ${health}`];
  if (first === null) return [...addresses, ''];
  return [
    ...addresses,
    '',
    `  Organisation  ${first.orgName}`,
    `  Login         ${first.adminEmail}`,
    `  Password      ${first.isPasswordGenerated ? first.adminPassword : '(as set by PLUMBLINE_ADMIN_PASSWORD)'}`,
    `  Read token    ${first.readToken}`,
    `  Ingest token  ${first.ingestToken}`,
    '  These are shown only once: store them.',
    '',
    'Try it:',
    ...firstLines({ ...first, publicUrl, ingestUrl }).map((line) => (line === '' ? '' : `  ${line}`)),
    '',
  ];
}

/** The first commands to type, with tokens or placeholders. The README has the same. */
export function firstLines({
  publicUrl,
  ingestUrl,
  readToken,
  ingestToken,
  isDemo,
}: Pick<ServerConfig, 'publicUrl' | 'ingestUrl'> & Pick<FirstStart, 'readToken' | 'ingestToken' | 'isDemo'>): string[] {
  const pictureLines = [
    '# A picture of a series',
    `curl -s -H "X-Auth-Token: ${readToken}" -o graph.png '${publicUrl}/api/image/metric?metric=shop.orders'`,
    '',
  ];
  return [
    '# Anomalies, newest first',
    `curl -s -H "X-Auth-Token: ${readToken}" '${publicUrl}/api/anomalies?limit=5'`,
    '',
    ...(isDemo ? pictureLines : []),
    '# Your own point: 204 means that it is durable',
    `curl -s -i -H "X-Auth-Token: ${ingestToken}" -H 'Content-Type: application/json' \\`,
    `     -d '{"metric":"my.first.metric","value":42}' '${ingestUrl}/ingest/metrics'`,
    `curl -s -H "X-Auth-Token: ${readToken}" '${publicUrl}/api/metrics/search?q=first'`,
  ];
}

/** Only what this process serves: other processes serve the rest. */
function servedBy({ roles, publicUrl, ingestUrl }: ServerConfig, hasConsole: boolean): string {
  if (roles.includes('api')) return `${hasConsole ? `console ${publicUrl}/  ·  ` : ''}API ${publicUrl}/api`;
  return roles.includes('ingest') ? `ingest ${ingestUrl}/ingest` : roles.join(', ');
}
