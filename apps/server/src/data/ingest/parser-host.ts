import { getHeapStatistics } from 'node:v8';
import {
  type BadLine,
  HistogramFolder,
  type JsonBody,
  type JsonSwitches,
  type ParsedBatch,
  type ParseResult,
  readJsonBody,
  type ReasonCounts,
  type SeriesHeader,
} from '#libs/protocols';
import { type ErrorCode, type ErrorDetail } from '#libs/contracts';
import { AppError } from '../../common/errors/app-error.js';
import { NameCaches } from './name-caches.js';
import { parseBody, type ParseTask } from './parse-body.js';
import { parserError } from './parser-error.js';
import { DEFAULT_PROTOCOL_SETTING } from './protocol-settings.service.js';

/** Share of the heap of the thread for spellings of names. */
const NAMES_PART = 1 / 8;
/** Headers per transfer: receiving them takes the other thread about a millisecond. */
const SLICE = 4000;

/** `ticket` identifies a body from its parsing until it has ended. */
export type ParserRequest =
  | { kind: 'parse'; ticket: number; task: ParseTask }
  /** The next headers of a body. */
  | { kind: 'series'; ticket: number }
  /** The body was stored or not; if not, its changes of histograms are dropped. */
  | { kind: 'end'; ticket: number; isStored: boolean };

/** The result in a form that can move between threads; the headers follow in slices. */
export interface FoundPlain {
  /** On the JSON path. */
  switches: JsonSwitches | null;
  /** Members of this parser, in addition to those of every parser. */
  others: object;
  columns: Omit<ParsedBatch, 'series'>;
  refusals: {
    metrics: ReadonlyMap<string, Readonly<ReasonCounts>>;
    badLines: readonly BadLine[];
    omitted: { total: number; names: ReadonlySet<string> };
  };
}

export type ParserAnswer =
  | { kind: 'found'; found: FoundPlain }
  | { kind: 'refused'; code: ErrorCode; message: string; details: readonly ErrorDetail[] }
  | { kind: 'series'; series: SeriesHeader[]; isLast: boolean }
  | { kind: 'ended' };

interface OpenBody {
  series: readonly SeriesHeader[];
  /** Number of headers sent so far. */
  given: number;
  discard: (() => void) | undefined;
}

/** Parses bodies in a separate thread, and caches names and histograms there. */
export class ParserHost {
  private readonly names = new NameCaches(getHeapStatistics().heap_size_limit * NAMES_PART);
  private readonly histograms = new HistogramFolder();
  private readonly bodies = new Map<number, OpenBody>();

  /** Call it every FORGET_UNUSED_EVERY_MS. */
  forgetUnusedNames(): void {
    this.names.forgetUnused();
  }

  handle(request: ParserRequest): ParserAnswer {
    switch (request.kind) {
      case 'parse':
        return this.parse(request.ticket, request.task);
      case 'series':
        return this.nextSeries(request.ticket);
      case 'end':
        if (!request.isStored) this.bodies.get(request.ticket)?.discard?.();
        this.bodies.delete(request.ticket);
        return { kind: 'ended' };
    }
  }

  private parse(ticket: number, task: ParseTask): ParserAnswer {
    try {
      const limits = { ...task.limits, names: this.names.of(task.orgId) };
      const json = task.work.protocol === 'json' ? readJsonBody(task.bytes, limits.maxPoints) : null;
      const found: ParseResult & { discard?: () => void } =
        json?.switches.validateKey === true
          ? nothing(task, this.histograms)
          : parseBody({ ...task, limits }, this.histograms, json);
      return this.open(ticket, found, json);
    } catch (error) {
      const refusal = parserError(error);
      if (!(refusal instanceof AppError)) throw error;
      const { code, message, details } = refusal;
      return { kind: 'refused', code, message, details };
    }
  }

  private open(
    ticket: number,
    { batch, refusals, discard, ...others }: ParseResult & { discard?: () => void },
    json: JsonBody | null,
  ): ParserAnswer {
    const { series, ...columns } = batch;
    this.bodies.set(ticket, { series, given: 0, discard });
    const { metrics, badLines, omitted } = refusals;
    return {
      kind: 'found',
      found: { switches: json?.switches ?? null, others, columns, refusals: { metrics, badLines, omitted } },
    };
  }

  private nextSeries(ticket: number): ParserAnswer {
    const body = this.bodies.get(ticket);
    if (!body) throw new Error(`There is no body ${String(ticket)}`);
    const { series, given } = body;
    const next = Math.min(series.length, given + SLICE);
    body.given = next;
    const isLast = next === series.length;
    if (isLast) body.series = [];
    return { kind: 'series', series: series.slice(given, next), isLast };
  }
}

/** The result for a body that only checks whether its key is valid. */
function nothing({ limits, orgId }: ParseTask, folder: HistogramFolder): ParseResult {
  const bytes = new TextEncoder().encode('[]');
  return parseBody({ work: { protocol: 'json' }, bytes, limits, orgId, setting: DEFAULT_PROTOCOL_SETTING }, folder);
}

/** Buffers of an answer that are moved instead of being copied. */
export function movableBuffers(answer: ParserAnswer): ArrayBuffer[] {
  if (answer.kind !== 'found') return [];
  const { seriesIndex, timestamps, values } = answer.found.columns;
  return [seriesIndex, timestamps, values].map(({ buffer }) => buffer as ArrayBuffer);
}
