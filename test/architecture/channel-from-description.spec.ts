import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import * as nest from '@nestjs/common';
import ts from 'typescript';
import { type AlertChannel } from '#libs/alerting';
import { ChannelError } from '../../apps/server/src/alerting/channel/channel.errors.js';
import { type Channel } from '../../apps/server/src/alerting/channel/channel.types.js';
import * as definitions from '../../apps/server/src/alerting/integration/define-service.js';
import * as delivery from '../../apps/server/src/alerting/integration/delivery.js';
import * as settings from '../../apps/server/src/alerting/integration/integration-settings.service.js';
import { type ServiceDefinition } from '../../apps/server/src/alerting/integration/service-definition.types.js';
import * as fields from '../../apps/server/src/alerting/integration/service-fields.js';
import * as clocks from '../../apps/server/src/common/clock.js';
import { type NameLookupService } from '../../apps/server/src/platform/outgoing/name-lookup.service.js';
import { type OrganisationCountRepository } from '../../apps/server/src/platform/outgoing/organisation-count.repository.js';
import * as outgoing from '../../apps/server/src/platform/outgoing/outgoing-client.service.js';
import { OutgoingConfig } from '../../apps/server/src/platform/outgoing/outgoing.config.js';
import { OutgoingRulesService } from '../../apps/server/src/platform/outgoing/outgoing-rules.service.js';
import { HandClock } from '../support/hand-clock.js';
import { aMessage } from '../support/integration-app.js';
import { jsonOf, type Received, type Reply, StandIn } from '../support/stand-in.js';

const ROOT = resolve(import.meta.dirname, '../..');
const ALERTING = join(ROOT, 'apps/server/src/alerting');
const FOLDER = join(ALERTING, 'integration');

/** The files in CONTRIBUTING.md, by their path below the folder of integrations. */
const FILES = new Map(
  [...readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8').matchAll(/^```ts (ntfy\/\S+)\n([^]*?)^```$/gm)].map(
    ([, path, code]) => [path!, code!],
  ),
);

function edited(path: string, ...changes: readonly [from: string, to: string][]): [string, string] {
  let text = readFileSync(path, 'utf8');
  for (const [from, to] of changes) {
    expect(text).toContain(from);
    text = text.replace(from, to);
  }
  return [path, text];
}

/** The files of a contributor who has followed the description. */
const described = (): Map<string, string> =>
  new Map([
    ...[...FILES].map(([path, code]): [string, string] => [join(FOLDER, path), code]),
    edited(join(ROOT, 'libs/alerting/src/content.ts'), [
      "  'webhook',\n] as const",
      "  'webhook',\n  'ntfy',\n] as const",
    ]),
    edited(
      join(FOLDER, 'services.types.ts'),
      ['import { CHAT }', "import { NTFY } from './ntfy/ntfy.service-definition.js';\nimport { CHAT }"],
      ['  WEBHOOK,\n', '  WEBHOOK,\n  NTFY,\n'],
    ),
    edited(
      join(FOLDER, 'channels.ts'),
      [
        'import { AlertmanagerChannel }',
        "import { NtfyChannel } from './ntfy/ntfy.channel.js';\nimport { AlertmanagerChannel }",
      ],
      ['readonly Type<Channel>[] = [', 'readonly Type<Channel>[] = [NtfyChannel, '],
    ),
  ]);

/** Files that may list all channels. */
const namingChannels = (): string[] =>
  ts.sys
    .readDirectory(ALERTING, ['.ts'], ['**/*.spec.ts', '**/*.db-spec.ts'])
    .filter((path) => /AlertChannel|\['channel'\]/.test(readFileSync(path, 'utf8')));

/** Compiler errors in these files, which replace those on disk, and in the files of `beside`. */
function complaints(files: ReadonlyMap<string, string>, beside: readonly string[] = []): string[] {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), (path) => ts.sys.readFile(path)) as {
    config: { compilerOptions: object };
  };
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, ROOT);
  const host = ts.createCompilerHost({ ...options, noEmit: true });
  const [read, exists, isFolder] = [host.readFile, host.fileExists, host.directoryExists];
  host.readFile = (path) => files.get(path) ?? read(path);
  host.fileExists = (path) => files.has(path) || exists(path);
  host.directoryExists = (path) => [...files.keys()].some((file) => dirname(file) === path) || isFolder!(path);
  host.getSourceFile = (path, version) => {
    const text = host.readFile(path);
    return text === undefined ? undefined : ts.createSourceFile(path, text, version);
  };
  const roots = [...new Set([...files.keys(), ...beside])];
  const program = ts.createProgram(roots, { ...options, noEmit: true }, host);
  return roots.flatMap((path) => {
    const source = program.getSourceFile(path);
    const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
    return found.map(({ messageText }) => `${path}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`);
  });
}

/** Runs a file of the description with the product modules that it imports. */
function run(path: string): Record<string, unknown> {
  const options = {
    module: ts.ModuleKind.CommonJS,
    target: ts.ScriptTarget.ES2022,
    experimentalDecorators: true,
    emitDecoratorMetadata: true,
  };
  const { outputText } = ts.transpileModule(FILES.get(path)!, { compilerOptions: options });
  const modules: Record<string, unknown> = {
    '@nestjs/common': nest,
    '../../../common/clock.js': clocks,
    '../../../platform/outgoing/outgoing-client.service.js': outgoing,
    '../delivery.js': delivery,
    '../integration-settings.service.js': settings,
    '../define-service.js': definitions,
    '../service-fields.js': fields,
  };
  const exports: Record<string, unknown> = {};
  const find = (name: string): unknown => {
    if (!(name in modules)) throw new Error(`${name} is not known to this test`);
    return modules[name];
  };
  // oxlint-disable-next-line typescript/no-implied-eval -- a file of this repository, as its reader would have it
  (new Function('require', 'exports', outputText) as (require: unknown, exports: unknown) => void)(find, exports);
  return exports;
}

class Ntfy extends StandIn {
  readonly shown: unknown[] = [];
  protected judge(request: Received): Reply {
    if (request.headers.authorization !== 'Bearer tk_1') return { status: 403 };
    const message = jsonOf(request);
    if (request.method !== 'POST' || request.path !== '/' || message?.topic !== 'ops') return { status: 400 };
    this.shown.push(message);
    return { status: 200, body: { id: '1' } };
  }
}

describe('the example channel of CONTRIBUTING.md', () => {
  it('consists of two files', () => {
    expect([...FILES.keys()]).toEqual(['ntfy/ntfy.service-definition.ts', 'ntfy/ntfy.channel.ts']);
  });

  it('compiles with the lines added to the lists', () => {
    expect(complaints(described(), namingChannels())).toEqual([]);
  }, 300_000);

  it('does not compile while its id is missing from the list', () => {
    const files = described();
    files.delete(join(ROOT, 'libs/alerting/src/content.ts'));
    expect(complaints(files).join('\n')).toContain('\'"ntfy"\' is not assignable');
  }, 300_000);

  it('has settings like other channels', () => {
    const { NTFY } = run('ntfy/ntfy.service-definition.ts') as { NTFY: ServiceDefinition };
    expect(settings.missingFields(NTFY, {})).toEqual(['topic']);
    expect(settings.complete(NTFY, { topic: 'ops' })).toEqual({
      server: 'https://ntfy.sh',
      topic: 'ops',
      access_token: null,
    });
    expect(NTFY.orgFields.access_token!.type).toBe('secret');
    const { pattern } = NTFY.orgFields.topic!.kind.schema() as { pattern: string };
    const accepted = ['ops', 'ops-alerts_1', 'ops/alerts'].filter((topic) => new RegExp(pattern).test(topic));
    expect(accepted).toEqual(['ops', 'ops-alerts_1']);
  });

  it('sends a message, and reports errors that can and cannot be retried', async () => {
    const ntfy = await new Ntfy().listen();
    try {
      const { NtfyChannel } = run('ntfy/ntfy.channel.ts') as {
        NtfyChannel: new (settings: object, client: outgoing.OutgoingClientService, clock: clocks.Clock) => Channel;
      };
      const clock = new HandClock();
      const config = Object.assign(new OutgoingConfig(), { allowed: ['any'] });
      const rules = new OutgoingRulesService(config, {} as OrganisationCountRepository, {} as NameLookupService, clock);
      const values = { server: ntfy.url, topic: 'ops', access_token: 'tk_1', isOfInstance: false };
      const stored = { of: () => Promise.resolve(values), connected: () => Promise.resolve(values) };
      const channel = new NtfyChannel(stored, new outgoing.OutgoingClientService(rules, config), clock);
      const send = (): Promise<unknown> => channel.send(aMessage(1), new AbortController().signal);
      expect(channel.id).toBe('ntfy' as AlertChannel);
      expect(await channel.missing(1)).toBeNull();
      await send();
      expect(ntfy.shown).toEqual([
        {
          topic: 'ops',
          title: 'http_requests_total is far above its range',
          message: 'It is twice as high as usual since 08:51.',
          click: 'https://plumbline.example.org/incident/41',
        },
      ]);
      ntfy.mood = { status: 413 };
      await expect(send()).rejects.toMatchObject({ kind: 'never', name: ChannelError.name });
      ntfy.mood = { status: 429, headers: { 'Retry-After': '9' } };
      await expect(send()).rejects.toMatchObject({ kind: 'later', retryAfterSeconds: 9 });
    } finally {
      await ntfy.close();
    }
  });
});
