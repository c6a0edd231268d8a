import { Injectable } from '@nestjs/common';
import { BASELINE_SLOTS, endOf, LEAD_SLOTS, prepare, type Shape, spreadOf, type Stretch } from '#libs/patterns';
import { type KnownCaller } from '../../common/auth/caller.js';
import { Transactions, type Tx } from '../../common/database/transactions.js';
import { actorOf, changesBetween } from '../../platform/audit/audit-act.functions.js';
import { AuditTrailService } from '../../platform/audit/audit-trail.service.js';
import { byCaller, byUser, ofMetric } from '../../platform/event/event.functions.js';
import { type EventText } from '../../platform/event/event.types.js';
import { type PatternAnswerDto, type PatternChangedDto, type PatternTimeseriesDto } from './dto/pattern-answers.dto.js';
import { type UpdatePatternParams } from './dto/pattern.params.js';
import { PatternPresenterService } from './pattern-presenter.service.js';
import { PatternNotFoundError } from './pattern.errors.js';
import { PatternRepository } from './pattern.repository.js';
import { type Pattern } from './pattern.types.js';
import { PatternDirectoryService } from './pattern-directory.service.js';
import { type PatternDto } from './pattern.dto.js';

/** A pattern for drawing. Times in Unix seconds. */
export interface PatternOutline {
  pattern: PatternDto;
  /** The time before in long slots, then the part and its surroundings in slots of `resolutionSeconds`. */
  timeseries: [number, number | null][];
  resolutionSeconds: number;
  /** Value at which the part begins. */
  level: number;
  /** Root mean square distance up to which a part is alike. */
  spread: number;
  /** The anomalous part; `isUp`: it extends further above its level than below. */
  part: { from: number; until: number; isUp: boolean };
  /** The range that is compared slot by slot. */
  compared: { from: number; until: number };
  /** Slots are short from here on. */
  keptFrom: number;
}

const MAX_RELATIVES = 100;

/** Patterns as people see and change them. */
@Injectable()
export class PatternService {
  constructor(
    private readonly rows: PatternRepository,
    private readonly patterns: PatternDirectoryService,
    private readonly presenter: PatternPresenterService,
    private readonly audit: AuditTrailService,
    private readonly transactions: Transactions,
  ) {}

  async find(caller: KnownCaller, id: number): Promise<PatternAnswerDto> {
    const pattern = await this.get(caller.org.id, id);
    const relatives = await this.rows.relatives(caller.org.id, pattern, MAX_RELATIVES);
    const [record, ...others] = await this.presenter.present(caller, [pattern, ...relatives]);
    return { pattern: record!, relatives: others, pattern_graph_url: this.presenter.pictureUrl(id) };
  }

  /** Existing patterns among the ids. */
  async findByIds(caller: KnownCaller, ids: readonly number[]): Promise<Map<number, PatternDto>> {
    const records = await this.presenter.present(caller, await this.rows.findByIds(caller.org.id, ids));
    return new Map(records.map((record) => [record.id, record]));
  }

  async timeseries(caller: KnownCaller, id: number, maxPoints: number): Promise<PatternTimeseriesDto> {
    const pattern = await this.get(caller.org.id, id);
    const comparable = await this.patterns.comparableById(caller.org.id, id);
    if (comparable === null) throw new PatternNotFoundError(id);
    const [record] = await this.presenter.present(caller, [pattern]);
    return {
      pattern: record!,
      timeseries: thinned(pointsOfShape(comparable.shape), maxPoints),
      resolution_seconds: comparable.shape.fine.step,
    };
  }

  /**
   * The content of a picture of a pattern.
   * @throws PatternNotFoundError
   */
  async outline(caller: KnownCaller, id: number): Promise<PatternOutline> {
    const pattern = await this.get(caller.org.id, id);
    const comparable = await this.patterns.comparableById(caller.org.id, id);
    if (comparable === null) throw new PatternNotFoundError(id);
    const [record] = await this.presenter.present(caller, [pattern]);
    const { shape } = comparable;
    const { start, step } = shape.fine;
    const prepared = prepare(shape);
    return {
      pattern: record!,
      timeseries: pointsOfShape(shape),
      resolutionSeconds: step,
      level: prepared.baseline,
      spread: spreadOf(prepared, pattern.similarityThreshold),
      part: { from: shape.partStart, until: shape.partEnd + step, isUp: prepared.most >= -prepared.least },
      compared: { from: start + (LEAD_SLOTS - BASELINE_SLOTS) * step, until: endOf(shape.fine) },
      keptFrom: start,
    };
  }

  /** @throws PatternNotFoundError */
  async update(caller: KnownCaller, id: number, params: UpdatePatternParams): Promise<PatternChangedDto> {
    const { id: orgId } = caller.org;
    const { children, ...given } = params;
    const change = Object.fromEntries(Object.entries(given).filter(([, value]) => (value as unknown) !== undefined));
    const isDisabled = params.enabled === false || params.validated === false;
    const { after, disabled } = await this.transactions.run(async (tx) => {
      const before = await this.get(orgId, id, tx);
      const trusted = params.validated === true ? { shadow: false } : {};
      const wanted = { ...change, ...trusted, ...(isDisabled ? { enabled: before.enabled } : {}) };
      if (Object.keys(wanted).length > 0) await this.rows.update(orgId, id, wanted, tx);
      const disabled = isDisabled ? await this.patterns.disable(orgId, id, { children }, tx) : [];
      const after = await this.get(orgId, id, tx);
      const changes = changesBetween(visible(before), visible(after));
      if (changes.length > 0) {
        const object = { type: 'pattern', id: String(id), name: after.label };
        await this.audit.record({ orgId, actor: actorOf(caller), action: 'pattern.update', object, changes }, tx);
      }
      const by = byCaller(caller);
      for (const one of await this.rows.findByIds(orgId, disabled, tx)) {
        const text: EventText = (names) => `The pattern${ofMetric(names)} was disabled${byUser(names)}`;
        this.patterns.report('pattern_disabled', one, text, by, tx);
      }
      if (changes.length > 0 && !disabled.includes(id)) {
        const text: EventText = (names) => `The pattern${ofMetric(names)} was changed${byUser(names)}`;
        this.patterns.report('pattern_changed', after, text, by, tx);
      }
      await this.patterns.announce(orgId, { updated: [...(changes.length > 0 ? [id] : []), ...disabled] }, tx);
      return { after, disabled };
    });
    const [record] = await this.presenter.present(caller, [after]);
    return { pattern: record!, disabled_ids: disabled, message: 'OK' };
  }

  private async get(orgId: number, id: number, tx?: Tx): Promise<Pattern> {
    const pattern = await this.rows.find(orgId, id, tx);
    if (pattern === null) throw new PatternNotFoundError(id);
    return pattern;
  }
}

const visible = ({ enabled, label, positive, validated, shadow }: Pattern) => ({
  enabled,
  label,
  positive,
  validated,
  shadow,
});

function pointsOfShape({ context, fine }: Shape): [number, number | null][] {
  const before = points(context).filter(([timestamp]) => timestamp < fine.start + LEAD_SLOTS * fine.step);
  const from = fine.start;
  return [...before.filter(([timestamp]) => timestamp < from), ...points(fine)];
}

const points = ({ start, step, values }: Stretch): [number, number | null][] =>
  Array.from(values, (value, slot) => [start + slot * step, Number.isFinite(value) ? value : null]);

/** Means of neighbours, down to at most `most` points. */
function thinned(all: [number, number | null][], most: number): [number, number | null][] {
  const together = Math.ceil(all.length / most);
  if (together <= 1) return all;
  const rows: [number, number | null][] = [];
  for (let first = 0; first < all.length; first += together) {
    const known = all.slice(first, first + together).flatMap(([, value]) => (value === null ? [] : [value]));
    const mean = known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
    rows.push([all[first]![0], mean]);
  }
  return rows;
}
