import { type CanActivate, createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { type Request, type Response } from 'express';
import { findMember, type JsonBody, readJsonBody } from '#libs/protocols';
import { headerToken } from '../../common/auth/credentials.js';
import { LARGE_BODY_BYTES } from '../../common/http/body-parsing.js';
import { drain } from '../../common/http/body-stream.js';
import { type ByteShare } from '../../common/fair-share/byte-budget.js';
import { contextOf } from '../../common/http/request-context.js';
import { addressParty, setRateLimitHeaders } from '../../common/http/rate-limit.guard.js';
import { BodyBudgetService, reserve } from './body-budget.service.js';
import { type BodyStart, readBody, readStart } from './body-reader.js';
import { type BodyRule, checkHead, contentTypeOf, type IngestEncoding } from './ingest-body.js';
import { errorBodyOf } from './ingest-answers.js';
import { IngestGateService } from './ingest-gate.service.js';
import { IngestLimitsService } from './ingest-limits.service.js';
import { IngestTelemetryService } from './ingest-telemetry.service.js';
import { IngestConfig } from './ingest.config.js';
import { checkParameters, parameterOf, SWITCH_HEADERS, switchOf } from './ingest-parameters.js';
import { IngestSendersService, requireIngest } from './ingest-senders.service.js';
import { TokenNotAtBeginningError } from './ingest.errors.js';
import { type ReceivedBody, type Sender } from './ingest.types.js';
import { parserError } from './parser-error.js';

/** Metadata: the BodyRule of an ingest route. */
export const BODY_RULE = Symbol('ingest body rule');

type IngestRequest = Request & { received?: ReceivedBody };

/** Objects and arrays parsed from JSON text use several times its length. */
const JSON_MEMORY_FACTOR = 4;
/** Number of bytes that are read and decompressed to find the token in a body. */
const STRANGER_BYTES = 64 * 1024;
const NOTHING = new Uint8Array(0);

/**
 * Checks a body before it is received: type and size, sender, request limit, permission, switches and parameters,
 * memory; in this order, and before a byte of the body is read. Only if the token may be inside the body, its beginning
 * is read to find it. Senders of such bodies are first counted by address, and nothing more is read or decompressed
 * before the token is known.
 */
@Injectable()
export class IngestGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly senders: IngestSendersService,
    private readonly limits: IngestLimitsService,
    private readonly config: IngestConfig,
    private readonly gate: IngestGateService,
    private readonly budget: BodyBudgetService,
    private readonly telemetry: IngestTelemetryService,
  ) {}

  async canActivate(execution: ExecutionContext): Promise<boolean> {
    const http = execution.switchToHttp();
    const request = http.getRequest<IngestRequest>();
    const response = http.getResponse<Response>();
    const rule = this.reflector.get<BodyRule>(BODY_RULE, execution.getHandler());
    const share = this.budget.open(addressParty(request));
    response.once('close', () => share.release());
    contextOf(request).errorBody = errorBodyOf(request, rule);
    try {
      request.received = await this.receive(request, response, rule, share);
      return true;
    } catch (error) {
      this.telemetry.rejectedBody(error);
      drain(request);
      throw error;
    }
  }

  private async receive(
    request: IngestRequest,
    response: Response,
    rule: BodyRule,
    share: ByteShare,
  ): Promise<ReceivedBody> {
    const limits = this.config.bodyLimits(rule.limits ?? 'body');
    const encoding = checkHead(request, rule, limits);
    const hasSwitches = rule.hasSwitches === true;
    const early = hasSwitches ? earlyToken(request) : presentedToken(request, null);
    const sender = hasSwitches && early === undefined ? undefined : await this.admit(request, response, early);
    if (sender) {
      // A JSON body may only check whether its key is valid: the permission does not matter then.
      if (!hasSwitches) requireIngest(sender);
      checkParameters(request, rule);
      share.identified(orgParty(sender));
      if (rule.isWithoutPoints !== true) this.gate.check();
      const { bytes, sentBytes } = await readBody(request, encoding, limits, share, this.timeouts);
      this.telemetry.received(sentBytes, bytes.length);
      return this.receivedOf(request, rule, sender, bytes, hasSwitches ? this.readJson(bytes, share) : null, share);
    }
    setRateLimitHeaders(response, await this.limits.chargeUnauthenticated(addressParty(request)));
    this.gate.check();
    return this.receiveUnauthenticated(request, response, rule, encoding, share);
  }

  /** A JSON body whose token is inside it. */
  private async receiveUnauthenticated(
    request: IngestRequest,
    response: Response,
    rule: BodyRule,
    encoding: IngestEncoding,
    share: ByteShare,
  ): Promise<ReceivedBody> {
    const limits = this.config.bodyLimits(rule.limits ?? 'body');
    const { timeouts } = this;
    const start = await readStart(request, encoding, STRANGER_BYTES, limits, share, timeouts);
    const admit = async (key: string | null) => {
      const sender = await this.admit(request, response, presentedToken(request, key));
      checkParameters(request, rule);
      share.identified(orgParty(sender));
      return sender;
    };
    if (start.isWhole) {
      this.telemetry.received(start.sent.bytes.length, start.bytes.length);
      const json = this.readJson(start.bytes, share);
      return this.receivedOf(request, rule, await admit(json?.switches.key ?? null), start.bytes, json, share);
    }
    const sender = await admit(keyAtBeginning(start));
    const { bytes, sentBytes } = await readBody(request, encoding, limits, share, timeouts, start.sent);
    this.telemetry.received(sentBytes, bytes.length);
    return this.receivedOf(request, rule, sender, bytes, this.readJson(bytes, share), share);
  }

  private get timeouts() {
    const { bodyIdleSeconds, bodySeconds } = this.config;
    return { idleSeconds: bodyIdleSeconds, wholeSeconds: bodySeconds };
  }

  private receivedOf(
    request: IngestRequest,
    rule: BodyRule,
    sender: Sender,
    bytes: Uint8Array,
    json: JsonBody | null,
    share: ByteShare,
  ): ReceivedBody {
    const received: ReceivedBody = {
      ...sender,
      bytes,
      json,
      contentType: contentTypeOf(request, rule),
      maxPoints: this.config.bodyLimits(rule.limits ?? 'body').maxPoints,
      validateKey: false,
      test: switchOf(request.get(SWITCH_HEADERS.test)) === true,
      backfill:
        switchOf(request.get(SWITCH_HEADERS.backfill)) ?? switchOf(request.query.backfill) ?? rule.isHistory === true,
      parameter: (name) => parameterOf(request.query[name]),
      applySwitches: ({ validateKey, test, backfill }) => {
        if (!validateKey) requireIngest(sender);
        received.validateKey = validateKey;
        if (test) received.test = true;
        if (backfill !== null) received.backfill = backfill;
      },
      release: () => {
        received.bytes = NOTHING;
        received.json = null;
        share.release();
      },
    };
    if (json) received.applySwitches(json.switches);
    return received;
  }

  /** Null for a large body, which is parsed by another thread. */
  private readJson(bytes: Uint8Array, share: ByteShare): JsonBody | null {
    reserve(share, bytes.length * JSON_MEMORY_FACTOR);
    if (bytes.length > LARGE_BODY_BYTES) return null;
    try {
      return readJsonBody(bytes, this.config.maxPoints);
    } catch (error) {
      throw parserError(error);
    }
  }

  /** Identifies the sender, and checks whether it may send now. */
  private async admit(request: Request, response: Response, token: string | undefined): Promise<Sender> {
    const sender = await this.senders.identifyRequest(request, token);
    contextOf(request).orgId = sender.caller.org.id;
    setRateLimitHeaders(response, await this.limits.chargeRequest(sender));
    return sender;
  }
}

const orgParty = ({ caller }: Sender): string => `org:${String(caller.org.id)}`;

/** @throws TokenNotAtBeginningError */
function keyAtBeginning({ bytes }: BodyStart): string {
  const key = findMember(bytes, 'key');
  if (key === null) throw new TokenNotAtBeginningError(STRANGER_BYTES);
  return key;
}

/** The body that the guard has accepted. */
export const Received = createParamDecorator((_: unknown, execution: ExecutionContext): ReceivedBody => {
  const { received } = execution.switchToHttp().getRequest<IngestRequest>();
  if (!received) throw new Error('@Received() needs @IngestRoute()');
  return received;
});

/**
 * The token of an ingest request, from the first place that contains one: X-Auth-Token, Authorization (Bearer, Token,
 * or the password of Basic), the header `key`, the JSON member `key`, and on the paths of InfluxDB 1 the query
 * parameter `p`.
 */
function presentedToken(request: Request, jsonKey: string | null): string | undefined {
  return earlyToken(request) ?? nonEmpty(jsonKey) ?? queryToken(request);
}

/** The token in the head of an ingest request, which is available before the body: also in the header `key`. */
function earlyToken(request: Request): string | undefined {
  return headerToken(request) ?? nonEmpty(request.get('key'));
}

function queryToken(request: Request): string | undefined {
  if (request.path !== '/write' && request.path !== '/query') return undefined;
  const { p } = request.query;
  return typeof p === 'string' ? nonEmpty(p) : undefined;
}

function nonEmpty(text: string | null | undefined): string | undefined {
  const trimmed = text?.trim();
  return trimmed === undefined || trimmed === '' ? undefined : trimmed;
}
