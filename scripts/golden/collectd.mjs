/**
 * `node scripts/golden/collectd.mjs [--out FOLDER]`: records for `test/golden/collectd` what a real collectd (Debian
 * package `collectd-core`) sends with its plugin write_graphite: once as dotted names with a prefix, once as names with
 * tags. Streams are stored unchanged; `capture.json` has their times.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

const { values: options } = parseArgs({ options: { out: { type: 'string', default: 'test/golden/collectd' } } });
const SECONDS = 6;
/** Looks like a token. collectd puts it in front of every name. */
const TOKEN = `pl_${'golden-token_'.repeat(4).slice(0, 43)}`;

/** Accepts one connection and keeps its bytes. */
async function recorder() {
  const chunks = [];
  const server = createServer((socket) => socket.on('data', (chunk) => chunks.push(chunk)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, port: server.address().port, bytes: () => Buffer.concat(chunks) };
}

const node = (name, port, lines) => `<Node "${name}">
    Host "127.0.0.1"
    Port "${port}"
    Protocol "tcp"
    LogSendErrors true
    ${lines}
  </Node>`;

const folder = await mkdtemp(join(tmpdir(), 'collectd-'));
const dotted = await recorder();
const tagged = await recorder();
await writeFile(
  join(folder, 'collectd.conf'),
  `Hostname "web-1.example"
FQDNLookup false
Interval 1
BaseDir "${folder}"
PIDFile "${folder}/collectd.pid"
LoadPlugin load
LoadPlugin cpu
LoadPlugin memory
LoadPlugin uptime
LoadPlugin interface
LoadPlugin write_graphite
<Plugin cpu>
  ReportByCpu false
  ValuesPercentage true
</Plugin>
<Plugin interface>
  Interface "lo"
</Plugin>
<Plugin write_graphite>
  ${node('dotted', dotted.port, `Prefix "${TOKEN}."\n    EscapeCharacter "_"\n    StoreRates true`)}
  ${node('tagged', tagged.port, 'UseTags true\n    StoreRates false')}
</Plugin>
`,
);
const collectd = spawn('collectd', ['-f', '-C', join(folder, 'collectd.conf')], {
  stdio: ['ignore', 'ignore', 'inherit'],
});
const startedAt = Date.now() / 1000;
await sleep(SECONDS * 1000);
collectd.kill('SIGTERM');
await once(collectd, 'exit');
await sleep(200);

await mkdir(options.out, { recursive: true });
await writeFile(join(options.out, 'dotted.txt'), dotted.bytes());
await writeFile(join(options.out, 'tagged.txt'), tagged.bytes());
const capture = {
  sender: 'collectd 5.12.0',
  started_at: Math.floor(startedAt),
  ended_at: Math.ceil(Date.now() / 1000),
  token: TOKEN,
};
await writeFile(join(options.out, 'capture.json'), `${JSON.stringify(capture, null, 2)}\n`);
dotted.server.close();
tagged.server.close();
await rm(folder, { recursive: true, force: true });
console.log(`${dotted.bytes().length} bytes dotted, ${tagged.bytes().length} bytes with tags`);
