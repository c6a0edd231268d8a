import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type Transferable } from 'node:worker_threads';
import { HistogramFolder, type ParseLimits, Refusals, type SeriesHeader } from '#libs/protocols';
import { AppError } from '../../common/errors/app-error.js';
import { ClientGoneError, type FairQueue } from '../../common/fair-share/fair-queue.js';
import { FairQueueRegistry } from '../../common/fair-share/fair-queue-registry.js';
import { LARGE_BODY_BYTES } from '../../common/http/body-parsing.js';
import { currentRequest } from '../../common/http/request-context.js';
import { RequestGate } from '../../common/http/request-gate.js';
import { createExecutor } from '../../common/workers/executor.js';
import { answerOf } from '../../common/workers/thread-answer.js';
import { type Found } from './ingest-admission.service.js';
import { type ReceivedBody } from './ingest.types.js';
import { gather, hasOwnMemory } from './own-memory.js';
import { type FoundIn, hasHistograms, parseBody, type ParseWork } from './parse-body.js';
import { type FoundPlain, type ParserAnswer, ParserHost, type ParserRequest } from './parser-host.js';
import { parserError } from './parser-error.js';
import { ProtocolSettingsService } from './protocol-settings.service.js';

/** The thread that parses large bodies, one after the other. It starts with the first one. */
@Injectable()
export class ParserThreadService implements OnApplicationShutdown {
  private readonly thread = createExecutor<ParserRequest, ParserAnswer>({
    entry: new URL('./parser-worker.js', import.meta.url),
    name: 'parser',
    handler: () => {
      const host = new ParserHost();
      return { handle: (request) => host.handle(request) };
    },
  });

  /** @throws WorkerGoneError */
  call(request: ParserRequest, transfer?: readonly Transferable[]): Promise<ParserAnswer> {
    return this.thread.call(request, transfer);
  }

  /** Not earlier: the last requests, which are answered while the process stops, need the thread. */
  onApplicationShutdown(): Promise<void> {
    return this.thread.close();
  }
}

/** Maximum number of large bodies at a time: one is parsed while others are stored. */
const MAX_RUNNING = 3;
/**
 * Maximum number of large bodies that wait to be parsed: of all organisations, and of one. Their bytes are also
 * bounded.
 */
const WAITING = 400;
const WAITING_PER_ORG = 60;
const NOTHING = new Uint8Array(0);

/** The result of a parser, and the function that notifies its thread whether it was stored. */
interface Parsed<Work extends ParseWork> {
  found: FoundIn<Work>;
  /** Call it once, whatever happens to the body; never throws. A large body keeps its turn until then. */
  end: (isStored: boolean) => void;
}

/** Parses bodies: small ones immediately, large ones in a thread, in rotation between organisations. */
@Injectable()
export class BodyParserService {
  private readonly histograms = new HistogramFolder();
  /** Organisations whose histograms are stored in the thread: their bodies must be parsed there. */
  private readonly orgsOfThread = new Set<number>();
  private readonly turns: FairQueue;
  private lastTicket = 0;

  constructor(
    private readonly thread: ParserThreadService,
    private readonly settings: ProtocolSettingsService,
    private readonly gate: RequestGate,
    turns: FairQueueRegistry,
  ) {
    this.turns = turns.open('ingest bodies', {
      slots: MAX_RUNNING,
      slotsPerParty: MAX_RUNNING - 1,
      waiting: WAITING,
      waitingPerParty: WAITING_PER_ORG,
    });
  }

  /**
   * The content of a body. The bytes of a large one are no longer available afterwards.
   * @throws AppError it is malformed or too large; OverloadedError too many wait; ClientGoneError
   */
  async parse<Work extends ParseWork>(received: ReceivedBody, work: Work, limits: ParseLimits): Promise<Parsed<Work>> {
    const orgId = received.caller.org.id;
    if (!this.isForThread(received, work)) {
      const found = this.parseHere(received, work, limits);
      return { found, end: (isStored) => isStored || (found as Found).discard?.() };
    }
    const gone = currentRequest.getStore()?.gone;
    const release = await this.turns.enter(`org:${String(orgId)}`, gone);
    try {
      const { found, end } = await this.parseThere(received, work, limits);
      const endAndRelease = (isStored: boolean) => {
        release();
        end(isStored);
      };
      if (gone?.aborted !== true) return { found, end: endAndRelease };
      end(false);
      throw new ClientGoneError();
    } catch (error) {
      release();
      throw error;
    }
  }

  private isForThread({ bytes, caller }: ReceivedBody, { protocol }: ParseWork): boolean {
    if (bytes.length > LARGE_BODY_BYTES) return true;
    return (protocol === 'prometheus' || protocol === 'otlp') && this.orgsOfThread.has(caller.org.id);
  }

  private parseHere<Work extends ParseWork>(received: ReceivedBody, work: Work, limits: ParseLimits): FoundIn<Work> {
    const { bytes, json, caller } = received;
    try {
      const orgId = caller.org.id;
      const setting = this.settings.of(orgId, work.protocol);
      return parseBody({ work, bytes, limits, orgId, setting }, this.histograms, json);
    } catch (error) {
      throw parserError(error);
    }
  }

  private async parseThere<Work extends ParseWork>(
    received: ReceivedBody,
    work: Work,
    limits: ParseLimits,
  ): Promise<Parsed<Work>> {
    const ticket = ++this.lastTicket;
    const orgId = received.caller.org.id;
    const end = (isStored: boolean) => {
      this.thread.call({ kind: 'end', ticket, isStored }).catch(() => undefined);
    };
    try {
      const bytes = await movable(received.bytes);
      received.bytes = NOTHING;
      const { names: _, ...plain } = limits;
      const task = { work, bytes, limits: plain, orgId, setting: this.settings.of(orgId, work.protocol) };
      const answer = await this.call({ kind: 'parse', ticket, task }, [bytes.buffer]);
      const { found } = answer as Extract<ParserAnswer, { kind: 'found' }>;
      if (found.switches) received.applySwitches(found.switches);
      const result = assemble<Work>(found, await this.allSeries(ticket, orgId));
      if (hasHistograms(result)) this.orgsOfThread.add(orgId);
      return { found: result, end };
    } catch (error) {
      end(false);
      throw error;
    }
  }

  /** In pieces with pauses between them, so that neither a single body nor all of them block this thread. */
  private async allSeries(ticket: number, orgId: number): Promise<SeriesHeader[]> {
    const series: SeriesHeader[] = [];
    const pacer = this.gate.pacerOf(orgId);
    for (;;) {
      const answer = (await this.call({ kind: 'series', ticket })) as Extract<ParserAnswer, { kind: 'series' }>;
      for (const header of answer.series) series.push(header);
      if (answer.isLast) return series;
      await pacer.pause();
    }
  }

  private async call(request: ParserRequest, transfer?: readonly ArrayBuffer[]): Promise<ParserAnswer> {
    const answer = await answerOf(this.thread.call(request, transfer), 'The body');
    if (answer.kind !== 'refused') return answer;
    throw new AppError(answer.code, answer.message, answer.details);
  }
}

/** Small ones may be in memory of native code, which cannot move. */
async function movable(bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  if (bytes.length > LARGE_BODY_BYTES && hasOwnMemory(bytes)) return bytes;
  return gather([bytes]) as Promise<Uint8Array<ArrayBuffer>>;
}

function assemble<Work extends ParseWork>(
  { others, columns, refusals }: FoundPlain,
  series: SeriesHeader[],
): FoundIn<Work> {
  return { ...others, batch: { ...columns, series }, refusals: Refusals.from(refusals) } as FoundIn<Work>;
}
