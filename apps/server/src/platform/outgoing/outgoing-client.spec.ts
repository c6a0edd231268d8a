import { createServer as createTlsServer } from 'node:https';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { HandClock } from '../../../../../test/support/hand-clock.js';
import { type NameLookupService } from './name-lookup.service.js';
import { type OrganisationCountRepository } from './organisation-count.repository.js';
import { retryAfterOf } from './outgoing-answer.functions.js';
import { OutgoingClientService } from './outgoing-client.service.js';
import { OutgoingConfig } from './outgoing.config.js';
import { type OutgoingError } from './outgoing.errors.js';
import { OutgoingRulesService } from './outgoing-rules.service.js';

const TLS = join(import.meta.dirname, '../../../../../test/support/tls');

/** Maps names to addresses; consecutive lookups return consecutive lists. */
class Names implements NameLookupService {
  readonly longestMs = 60;
  asked = 0;
  constructor(private readonly answers: Record<string, readonly (readonly string[])[]> = {}) {}
  addressesOf(name: string): Promise<string[]> {
    const answers = this.answers[name];
    if (answers === undefined) return Promise.reject(new Error(`getaddrinfo ENOTFOUND ${name}`));
    return Promise.resolve([...answers[Math.min(this.asked++, answers.length - 1)]!]);
  }
}

interface Built {
  client: OutgoingClientService;
  rules: OutgoingRulesService;
  names: Names;
  clock: HandClock;
  organisations: { count: number };
}

function built(allowed: readonly string[], names = new Names(), caFile?: string): Built {
  const config = Object.assign(new OutgoingConfig(), { allowed, caFile });
  const clock = new HandClock();
  const organisations = { count: 1 };
  const counting = { hasSecondOrg: () => Promise.resolve(organisations.count > 1) };
  const rules = new OutgoingRulesService(config, counting as OrganisationCountRepository, names, clock);
  return { client: new OutgoingClientService(rules, config), rules, names, clock, organisations };
}

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
});

async function listen(server: Server): Promise<number> {
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function anyServer(listener: RequestListener = (_, response) => response.end('hello')): Promise<number> {
  return listen(createServer(listener));
}

const failureOf = async (work: Promise<unknown>): Promise<OutgoingError> =>
  work.then(fail, (error: unknown) => error as OutgoingError);
function fail(): never {
  throw new Error('it was answered');
}

describe('OutgoingClientService', () => {
  it('sends method, headers and body, and returns status, headers and body', async () => {
    const port = await anyServer((request, response) => {
      void text(request).then((body) => {
        response
          .writeHead(418, { 'X-Seen': `${request.method!} ${request.url!} ${request.headers.host!} ${body}` })
          .end('tea');
      });
    });
    const { client } = built(['any'], new Names({ 'hook.example.org': [['127.0.0.1']] }));
    const answer = await client.send({
      url: `http://hook.example.org:${String(port)}/a?b=c`,
      method: 'PUT',
      body: 'über',
      headers: { 'Content-Type': 'text/plain' },
    });
    expect(answer.status).toBe(418);
    expect(answer.headers['x-seen']).toBe(`PUT /a?b=c hook.example.org:${String(port)} über`);
    expect(answer.body.toString()).toBe('tea');
  });

  it('does not follow redirects', async () => {
    let asked = 0;
    const port = await anyServer((_, response) => {
      asked++;
      response.writeHead(302, { Location: '/elsewhere' }).end();
    });
    const { client } = built(['any']);
    const answer = await client.send({ url: `http://127.0.0.1:${String(port)}/` });
    expect([answer.status, asked]).toEqual([302, 1]);
  });

  it('aborts a slow response after the total timeout', async () => {
    const port = await anyServer((_, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write('.'), 20);
      response.on('close', () => clearInterval(timer));
    });
    const error = await failureOf(
      built(['any']).client.send({ url: `http://127.0.0.1:${String(port)}/`, timeoutMs: 300 }),
    );
    expect(error).toMatchObject({ failure: 'timeout', message: 'no complete answer within 0.3 s' });
  });

  it('aborts after the timeout without a response or a lookup result', async () => {
    const port = await anyServer(() => undefined);
    const { client } = built(['any']);
    expect((await failureOf(client.send({ url: `http://127.0.0.1:${String(port)}/`, timeoutMs: 200 }))).failure).toBe(
      'timeout',
    );
    const names = { addressesOf: () => new Promise<string[]>(() => undefined) } as unknown as Names;
    const stuck = built(['any'], names).client.send({ url: 'https://slow.example.org/', timeoutMs: 50 });
    expect((await failureOf(stuck)).failure).toBe('timeout');
  });

  it('aborts a response without a length that is too large', async () => {
    const port = await anyServer((_, response) => {
      const flood = (): void => {
        while (response.write(Buffer.alloc(16_384)));
        response.once('drain', flood);
      };
      flood();
    });
    const error = await failureOf(built(['any']).client.send({ url: `http://127.0.0.1:${String(port)}/` }));
    expect(error).toMatchObject({ failure: 'too_large', message: 'the answer is longer than 65536 bytes' });
  });

  it('stops when its caller aborts', async () => {
    const port = await anyServer(() => undefined);
    const ending = new AbortController();
    const sent = failureOf(
      built(['any']).client.send({ url: `http://127.0.0.1:${String(port)}/`, signal: ending.signal }),
    );
    ending.abort();
    expect((await sent).failure).toBe('aborted');
  });

  it('trusts additional authorities, and rejects invalid certificates', async () => {
    const [key, cert] = ['localhost.key', 'localhost.crt'].map((name) => readFileSync(join(TLS, name)));
    const port = await listen(createTlsServer({ key: key!, cert: cert! }, (_, response) => response.end('secret')));
    const names = new Names({ localhost: [['127.0.0.1']], 'other.example.org': [['127.0.0.1']] });
    const trusting = built(['any'], names, join(TLS, 'localhost.crt')).client;
    expect((await trusting.send({ url: `https://localhost:${String(port)}/` })).status).toBe(200);
    expect((await failureOf(trusting.send({ url: `https://other.example.org:${String(port)}/` }))).message).toBe(
      'the connection failed (ERR_TLS_CERT_ALTNAME_INVALID)',
    );
    expect(
      (await failureOf(built(['any'], names).client.send({ url: `https://localhost:${String(port)}/` }))).failure,
    ).toBe('unreachable');
  });

  it('includes neither address nor secrets in errors', async () => {
    const { client } = built(['any'], new Names({ 'host.example.org': [['127.0.0.1']] }));
    const urls = [
      'http://host.example.org:1/hidden?key=hidden',
      'http://unknown.example.org/hidden',
      'http://user:hidden@host.example.org/',
      'hidden',
    ];
    const errors = await Promise.all(
      urls.map((url) => failureOf(client.send({ url, headers: { Authorization: 'hidden' } }))),
    );
    expect(errors.map(({ failure, message }) => [failure, message])).toEqual([
      ['unreachable', 'the connection failed (ECONNREFUSED)'],
      ['unreachable', 'the name of the host is not known'],
      ['address_not_allowed', 'the address must not contain a login'],
      ['address_not_allowed', 'the address is not a web address'],
    ]);
    expect(errors.map(({ stack }) => stack).join('')).not.toMatch(/hidden|host\.example/);
  });
});

describe('the outgoing rules of the operator', () => {
  it.each([
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://017700000001/',
    'https://0x7f.1/',
    'https://127.1/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://①②⑦.0.0.1/',
    'https://10.0.0.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://0.0.0.0/',
  ])('reject %s with "public"', async (url) => {
    const error = await failureOf(built(['public']).client.send({ url }));
    expect(error).toMatchObject({
      failure: 'address_not_allowed',
      message: 'the operator of this installation does not allow this address (PLUMBLINE_OUTGOING)',
    });
  });

  it('require https with "public"', async () => {
    const { client, rules } = built(['public'], new Names({ 'a.example.org': [['93.184.216.34']] }));
    const error = await failureOf(client.send({ url: 'http://a.example.org/' }));
    expect(error.message).toBe('the address must begin with https://');
    expect(await rules.problemOf('http://a.example.org/')).toBe('the address must begin with https://');
    expect(await rules.problemOf('http://not-yet.example.org/')).toBe('the address must begin with https://');
    expect(await rules.problemOf('https://a.example.org/')).toBeNull();
  });

  it('reject internal and unknown names with the same message after the same time', async () => {
    const answers = { 'inside.example.org': [['10.0.0.7']], 'outside.example.org': [['93.184.216.34']] };
    const names = new Names(answers);
    const slow = { longestMs: 60, asked: 0, addressesOf: () => new Promise<string[]>(() => undefined) };
    const message =
      'the operator of this installation does not allow this address (PLUMBLINE_OUTGOING), or its name is not known';
    for (const allowed of [['public'], ['public', '192.168.0.0/16']]) {
      const { rules, client } = built(allowed, names);
      const never = built(allowed, slow as unknown as Names);
      const tries = [
        ...['inside', 'unknown'].map((name) => [rules, client, `https://${name}.example.org/`] as const),
        [never.rules, never.client, 'https://slow.example.org/'] as const,
      ];
      for (const [asked, sending, url] of tries) {
        let began = performance.now();
        expect(await asked.problemOf(url)).toBe(message);
        // Timers may fire early by a fraction of a millisecond.
        expect(performance.now() - began).toBeGreaterThan(58);
        began = performance.now();
        expect(await failureOf(sending.send({ url }))).toMatchObject({ failure: 'address_not_allowed', message });
        expect(performance.now() - began).toBeGreaterThan(58);
      }
      expect(await rules.problemOf('https://outside.example.org/')).toBeNull();
      const { asked } = names;
      expect(await rules.problemOf('http://inside.example.org/')).toBe(
        allowed.length === 1 ? 'the address must begin with https://' : message,
      );
      expect(names.asked - asked).toBe(allowed.length - 1);
    }
    const open = built(['any'], names);
    expect(await open.rules.problemOf('https://unknown.example.org/')).toBeNull();
    expect(await open.rules.problemOf('https://inside.example.org/')).toBeNull();
  });

  it('connect only to the address that was checked, even if the name resolves differently later', async () => {
    const seen: string[] = [];
    const port = await anyServer((request, response) => {
      seen.push(request.url!);
      response.end();
    });
    // Public when it was entered, internal when the request is sent.
    const turned = new Names({ 'turns.example.org': [['93.184.216.34'], ['127.0.0.1']] });
    const { client, rules } = built(['public'], turned);
    expect(await rules.problemOf(`https://turns.example.org:${String(port)}/`)).toBeNull();
    const late = await failureOf(client.send({ url: `https://turns.example.org:${String(port)}/` }));
    expect(late.failure).toBe('address_not_allowed');
    // Allowed at the lookup of the request; a second lookup by the connection would return another address.
    const turning = new Names({ 'turns.example.org': [['127.0.0.1'], ['127.0.0.2']] });
    const inside = built(['127.0.0.1/32'], turning);
    await inside.client.send({ url: `http://turns.example.org:${String(port)}/once` });
    expect([seen, inside.names.asked]).toEqual([['/once'], 1]);
  });

  it('connect only to the allowed ones of several addresses', async () => {
    const port = await anyServer();
    const names = new Names({ 'two.example.org': [['169.254.169.254', '10.9.9.9', '127.0.0.1']] });
    const { client, rules } = built(['127.0.0.0/8'], names);
    expect(await rules.reachable('two.example.org', { encrypted: false })).toEqual(['127.0.0.1']);
    expect((await client.send({ url: `http://two.example.org:${String(port)}/` })).status).toBe(200);
  });

  it('reject link-local and metadata addresses even with "any" or all networks', async () => {
    for (const allowed of [['any'], ['0.0.0.0/0', '::/0']]) {
      for (const host of [
        '169.254.169.254',
        '[fe80::1]',
        '[fd00:ec2::254]',
        '100.100.100.200',
        '[::ffff:169.254.169.254]',
      ]) {
        const { failure } = await failureOf(built(allowed).client.send({ url: `http://${host}/` }));
        expect([host, failure]).toEqual([host, 'address_not_allowed']);
      }
    }
  });

  it('allow everything by default, until there is a second organisation or public sign-up', async () => {
    const { rules, clock, organisations } = built([]);
    const inside = (): Promise<unknown> => rules.problemOf('http://10.0.0.1/');
    expect(await inside()).toBeNull();
    organisations.count = 2;
    clock.seconds += 5;
    expect(await inside()).toBe('the operator of this installation does not allow this address (PLUMBLINE_OUTGOING)');
    const other = built([]);
    other.rules.admitStrangers();
    expect(await other.rules.problemOf('http://10.0.0.1/')).not.toBeNull();
    const stated = built(['any']);
    stated.rules.admitStrangers();
    expect(await stated.rules.problemOf('http://10.0.0.1/')).toBeNull();
  });

  it('apply to connections of other protocols', async () => {
    const port = await anyServer();
    const open = built(['any'], new Names({ mail: [['127.0.0.1']] })).client;
    const socket = await open.connect({ host: 'mail', port, encrypted: false });
    expect(socket.remoteAddress).toBe('127.0.0.1');
    socket.destroy();
    const error = await failureOf(built(['public']).client.connect({ host: '127.0.0.1', port, encrypted: true }));
    expect(error.failure).toBe('address_not_allowed');
  });
});

describe('retryAfterOf', () => {
  const of = (header: string | undefined): number | null =>
    retryAfterOf({ status: 429, headers: { 'retry-after': header }, body: Buffer.alloc(0) }, 1_760_000_000);
  it('parses seconds and dates, limited to a day', () => {
    expect(of('120')).toBe(120);
    expect(of(new Date(1_760_000_030_000).toUTCString())).toBe(30);
    expect(of(new Date(1_759_999_000_000).toUTCString())).toBe(0);
    expect(of('99999999')).toBe(86_400);
    expect([of('soon'), of(undefined)]).toEqual([null, null]);
  });
});
