import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');
const SOURCES = ['apps/server/src', 'apps/cli/src', 'libs'];
/** Code that can open a connection to something other than the database. */
const OPENS =
  /(?<![.\w])(?<!async )fetch\(|(?:from|import|require)\s*\(?\s*'(?:(?:node:)?(?:net|tls|http|https|http2|dgram|dns|dns\/promises)|undici|ws|nodemailer[^']*|openid-client|stripe|@slack\/web-api|@opentelemetry\/exporter[^']*)'/g;
const ONLY_TYPES = /import (?:type )?\{\s*(?:type \w+(?: as \w+)?,?\s*)+\}\s*from '[^']+';|import type [^;]+;/g;

/**
 * Why each file may open connections: it calls an address from the settings of the operator or of an organisation, it
 * listens, it only validates texts, or it is text that runs in browsers.
 */
const KNOWN: Readonly<Record<string, string>> = {
  'apps/cli/src/config/config-client.ts': 'the server that the caller of the command names',
  'apps/cli/src/doctor/network-checks.ts': 'the server beside the command, and its public address',
  'apps/cli/src/mcp/remote-tools.ts': 'the server that the caller of the command names',
  'apps/cli/src/status/running-product.ts': 'the server beside the command',
  'apps/server/src/data/event-sender/sender-script.ts': 'runs in browsers',
  'apps/server/src/alerting/integration/chat/chat-api.service.ts': 'the chat provider',
  'apps/server/src/alerting/integration/chat/chat-pictures.service.ts': 'the chat provider',
  'apps/server/src/common/http/broken-request.ts': 'listens',
  'apps/server/src/common/telemetry/management-server.ts': 'listens',
  'apps/server/src/common/telemetry/tracing-sdk.ts': 'the collector of traces',
  'apps/server/src/data/ingest/graphite-server.service.ts': 'listens',
  'apps/server/src/data/ingest/graphite-tokens.ts': 'judges addresses',
  'apps/server/src/data/source/sql/postgres-query.ts': 'addresses of organisations',
  'apps/server/src/people/billing/payment-provider.service.ts': 'the payment provider',
  'apps/server/src/people/sso/oidc-provider.service.ts': 'the identity provider',
  'apps/server/src/platform/mail/smtp-transport.ts': 'the mail server',
  'apps/server/src/platform/mail/smtp.service.ts': 'the mail server',
  'apps/server/src/platform/outgoing/address-classes.ts': 'judges addresses',
  'apps/server/src/platform/outgoing/name-lookup.service.ts': 'addresses of organisations',
  'apps/server/src/platform/outgoing/outgoing-client.service.ts': 'addresses of organisations',
  'apps/server/src/platform/outgoing/outgoing-rules.service.ts': 'judges addresses',
  'apps/server/src/views/page/page-layout.ts': 'runs in browsers',
  'libs/embedded-postgres/src/cluster.ts': 'listens',
  'libs/series/src/victoria-metrics/vm-client.ts': 'the store of points that the operator names',
};

describe('source files that can open a connection', () => {
  it('are all listed here with a reason', async () => {
    const found: string[] = [];
    for (const folder of SOURCES) {
      for (const name of await readdir(join(ROOT, folder), { recursive: true })) {
        const path = `${folder}/${name}`;
        if (!/\.tsx?$/.test(name) || /spec\.ts$|\.contract\.ts$|\/testing\/|\/node_modules\//.test(path)) continue;
        const text = (await readFile(join(ROOT, path), 'utf8')).replace(ONLY_TYPES, '');
        if (text.search(OPENS) >= 0) found.push(path);
      }
    }
    expect(found.sort()).toEqual(Object.keys(KNOWN).sort());
  });
});
