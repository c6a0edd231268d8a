import { Injectable } from '@nestjs/common';
import { type ErrorDetail } from '#libs/contracts';
import { composeSanitised, isNameProblem } from '#libs/protocols';
import { type KnownCaller } from '../../common/auth/caller.js';
import { Clock } from '../../common/clock.js';
import { counted } from '../../common/display/display.js';
import { ValidationFailedError } from '../../common/errors/app-error.js';
import { OutgoingError } from '../../platform/outgoing/outgoing.errors.js';
import { type SourceTestedDto, type TestedSeriesDto } from './dto/source.dto.js';
import { sourceProblems, type TestSourceParams } from './dto/source.params.js';
import { SourceFailure } from './reading/driver.errors.js';
import { type FoundSeries, type SourceAnswer } from './reading/driver.types.js';
import { newestInstant } from './reading/plan-read.js';
import { namedSeries } from './reading/series-names.js';
import { SourceAddressesService } from './source-addresses.service.js';
import { type Definition, definitionOf } from './source-definition.js';
import { SourceDriversService } from './source-drivers.service.js';
import { SourceAddressNotAllowedError, SourceUpstreamError } from './source.errors.js';
import { SourceService } from './source.service.js';

/** Number of intervals that a test query covers: a series need not have a point in each. */
const INTERVALS = 10;
const MAX_SHOWN = 20;
const NEEDED = ['name', 'type', 'url', 'query'] as const;

/** Queries a source once and stores nothing. */
@Injectable()
export class SourceTestService {
  constructor(
    private readonly sources: SourceService,
    private readonly addresses: SourceAddressesService,
    private readonly drivers: SourceDriversService,
    private readonly clock: Clock,
  ) {}

  /** @throws SourceNotFoundError, ValidationFailedError, SourceAddressNotAllowedError, SourceUpstreamError */
  async test(caller: KnownCaller, params: TestSourceParams): Promise<SourceTestedDto> {
    const definition = await this.wanted(caller, params);
    await this.addresses.requireAllowed(definition.settings);
    const began = performance.now();
    const seconds = (): number => Math.round(performance.now() - began) / 1000;
    try {
      const { series } = await this.readRecent(definition);
      const message =
        series.length === 0
          ? 'The query gave no series with points in the last intervals.'
          : `The query gave ${counted(series.length, 'series', 'series')}.`;
      const shown = series.slice(0, MAX_SHOWN).map((one) => shownOf(one, definition));
      return {
        ok: series.length > 0,
        message,
        series_count: series.length,
        series: shown,
        duration_seconds: seconds(),
      };
    } catch (error) {
      if (error instanceof SourceFailure && error.kind === 'too_many_series') {
        return {
          ok: false,
          message: sentence(error.message),
          series_count: 0,
          series: [],
          duration_seconds: seconds(),
        };
      }
      throw answerTo(error);
    }
  }

  private async wanted(caller: KnownCaller, { source_id: id, ...params }: TestSourceParams): Promise<Definition> {
    if (id === undefined) {
      const missing = NEEDED.filter((name) => name !== 'name' && params[name] === undefined);
      const details = missing.map((field): ErrorDetail => ({
        field,
        code: 'required',
        message: `${field} is required`,
      }));
      requireNone([...details, ...sourceProblems(params)]);
      return definitionOf({ name: 'source', ...params }, null);
    }
    const row = await this.sources.getRow(caller, id);
    const { type = row.type, url = row.url, query = row.query } = params;
    requireNone(sourceProblems({ type, url, query }));
    return definitionOf(params, this.sources.knownOf(row));
  }

  private readRecent({ settings, secrets }: Definition): Promise<SourceAnswer> {
    const until = newestInstant(this.clock.now(), settings);
    const step = settings.intervalSeconds;
    return this.drivers.read(settings, secrets, { from: until - INTERVALS * step, until, stepSeconds: step });
  }
}

function shownOf(series: FoundSeries, { settings }: Definition): TestedSeriesDto {
  const { name, labels } = namedSeries(series, settings);
  const parsed = composeSanitised(name, labels);
  return {
    metric: isNameProblem(parsed) ? `${name} (${parsed.problem})` : parsed.name,
    points: series.timestamps.length,
    last_value: series.values.at(-1) ?? null,
  };
}

function answerTo(error: unknown): unknown {
  if (error instanceof SourceFailure) return new SourceUpstreamError(error.message);
  if (!(error instanceof OutgoingError)) return error;
  if (error.failure === 'address_not_allowed') return new SourceAddressNotAllowedError(error.message);
  return new SourceUpstreamError(error.message);
}

function requireNone(problems: readonly ErrorDetail[]): void {
  if (problems.length > 0) throw new ValidationFailedError(problems);
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
