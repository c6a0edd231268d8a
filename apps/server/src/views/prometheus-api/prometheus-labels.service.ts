import { Injectable, type StreamableFile } from '@nestjs/common';
import { DERIVED, DERIVED_NAMES, EXPORTED_METRIC_LABEL, METRIC_LABEL } from '#libs/contracts';
import { type KnownCaller } from '../../common/auth/caller.js';
import { productVersion } from '../../common/product-version.js';
import { Deadline } from './deadline.js';
import { answerOf, jsonList, JSON_TYPE, success, successOf, TRUNCATED } from './prometheus-answer.js';
import { type PrometheusParams } from './prometheus-params.js';
import { NAME_LABEL } from './promql.types.js';
import { BadDataError, endBeforeStart } from './prometheus.errors.js';
import { labelsOf } from './series-labels.js';
import { SeriesSelectionService } from './series-selection.service.js';
import { type MetadataRow, SeriesRepository } from './series.repository.js';
import { type Series, type SeriesWindow } from './series.types.js';

/** The version that is reported to clients: they derive from it which calls are available. */
const PROMETHEUS_VERSION = '2.42.0';
/** A window; both ends are inclusive. */
const INCLUSIVE = { seconds: 1, paces: 0 };
/** Maximum number of names and values of labels in one answer. */
const MAX_TEXTS = 50_000;

/** Lists the existing series, labels and values of labels. */
@Injectable()
export class PrometheusLabelsService {
  constructor(
    private readonly selections: SeriesSelectionService,
    private readonly rows: SeriesRepository,
  ) {}

  /** @throws PrometheusError, OverloadedError */
  async listSeries({ org }: KnownCaller, params: PrometheusParams): Promise<StreamableFile> {
    if (params.list('match[]').length === 0) throw new BadDataError('no match[] parameter provided');
    const limit = params.limit();
    const found = await this.find(org.id, params, limit);
    const isCut = limit !== null && found.length > limit;
    const shown = isCut ? found.slice(0, limit) : found;
    return answerOf(success(jsonList(textsOf(shown)), isCut ? [TRUNCATED] : []), JSON_TYPE);
  }

  async listLabels({ org }: KnownCaller, params: PrometheusParams): Promise<StreamableFile> {
    if (params.list('match[]').length > 0) {
      const found = await this.find(org.id, params, null);
      return textsAnswer(new Set(found.flatMap((series) => Object.keys(labelsOf(series)))), params);
    }
    const window = windowOf(params);
    const labels = await this.selections.inTurn(org.id, () => this.rows.listLabels(org.id, window, MAX_TEXTS + 1));
    if (labels.length === 0 && !(await this.hasMetrics(org.id, window))) return textsAnswer([], params);
    const exported = labels.includes(METRIC_LABEL) ? [EXPORTED_METRIC_LABEL] : [];
    return textsAnswer(new Set([NAME_LABEL, METRIC_LABEL, ...exported, ...labels]), params);
  }

  async listLabelValues({ org }: KnownCaller, label: string, params: PrometheusParams): Promise<StreamableFile> {
    if (label.includes('\u0000')) throw new BadDataError('invalid label name');
    if (params.list('match[]').length > 0) {
      const found = await this.find(org.id, params, null);
      const values = found.map((series) => labelsOf(series)[label]);
      return textsAnswer(new Set(values.filter((value) => value !== undefined)), params);
    }
    const window = windowOf(params);
    return textsAnswer(await this.selections.inTurn(org.id, () => this.valuesOf(org.id, label, window)), params);
  }

  async listMetadata({ org }: KnownCaller, params: PrometheusParams): Promise<StreamableFile> {
    const name = params.text('metric') ?? null;
    if (name?.includes('\u0000') === true) throw new BadDataError('invalid metric name');
    const limit = Math.min(params.limit() ?? MAX_TEXTS, MAX_TEXTS);
    const perName = Math.min(params.limit('limit_per_metric') ?? 10, 10);
    const stored = await this.selections.inTurn(org.id, () => this.rows.listMetadata(org.id, name, limit, perName));
    const derived = DERIVED_NAMES.filter((known) => name === null || known === name).map((known): MetadataRow => {
      return { name: known, type: 'gauge', help: DERIVED[known], unit: '' };
    });
    const byName = new Map<string, Omit<MetadataRow, 'name'>[]>();
    for (const { name: metric, type, ...rest } of [...derived, ...stored]) {
      // A rate that was sent is a gauge for readers.
      const entry = { type: type === 'counter' ? type : 'gauge', ...rest };
      byName.set(metric, [...(byName.get(metric) ?? []), entry]);
    }
    return successOf(Object.fromEntries([...byName].slice(0, limit)));
  }

  /** Clients call this to identify the server. */
  getBuildInfo(): Promise<StreamableFile> {
    return successOf({
      version: PROMETHEUS_VERSION,
      revision: `plumbline-${productVersion()}`,
      branch: '',
      buildUser: '',
      buildDate: '',
      goVersion: '',
    });
  }

  private find(orgId: number, params: PrometheusParams, limit: number | null): Promise<Series[]> {
    const selection = { selectors: params.selectors(), window: windowOf(params), lookback: INCLUSIVE, limit };
    return this.selections.find(orgId, selection, new Deadline(params.timeout()));
  }

  private async hasMetrics(orgId: number, window: SeriesWindow | null): Promise<boolean> {
    return (await this.namesOf(orgId, window, 1)).length > 0;
  }

  private namesOf(orgId: number, window: SeriesWindow | null, limit: number): Promise<string[]> {
    return this.rows.listNames(orgId, { prefix: '', window, lookback: INCLUSIVE }, limit);
  }

  private async valuesOf(orgId: number, label: string, window: SeriesWindow | null): Promise<Iterable<string>> {
    const most = MAX_TEXTS + 1;
    if (label === NAME_LABEL) {
      const names = await this.namesOf(orgId, window, most);
      return names.length === 0 ? [] : new Set([...DERIVED_NAMES, ...names]);
    }
    if (label === METRIC_LABEL) {
      const own = await this.rows.listLabelValues(orgId, window, most, label);
      return new Set([...own, ...(await this.rows.listMetricNames(orgId, window, most))]);
    }
    return this.rows.listLabelValues(orgId, window, most, label === EXPORTED_METRIC_LABEL ? METRIC_LABEL : label);
  }
}

function* textsOf(found: readonly Series[]): Generator<string> {
  for (const series of found) yield JSON.stringify(labelsOf(series));
}

/** Sorted as in Prometheus, and truncated to the limit of the answer. */
function textsAnswer(texts: Iterable<string>, params: PrometheusParams): Promise<StreamableFile> {
  const all = [...texts].sort();
  const limit = Math.min(params.limit() ?? MAX_TEXTS, MAX_TEXTS);
  return successOf(all.slice(0, limit), all.length > limit ? [TRUNCATED] : []);
}

/** Null: no time limit. @throws BadDataError */
function windowOf(params: PrometheusParams): SeriesWindow | null {
  const [from, until] = [params.time('start'), params.time('end')];
  if (from === undefined && until === undefined) return null;
  if (from !== undefined && until !== undefined && until < from) throw endBeforeStart();
  return { from: from ?? 0, until: until ?? Number.MAX_SAFE_INTEGER };
}
