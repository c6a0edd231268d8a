import { type RefusalReason } from '#libs/contracts';

/** Counts of one metric by reason. */
export type ReasonCounts = Partial<Record<RefusalReason, number>>;

/** A line or part of a body that could not be read, for the message of the answer. */
export interface BadLine {
  reason: RefusalReason;
  /** From 1; null if the body has no lines and `problem` states the position. */
  line: number | null;
  /** The text there, and its problem. */
  problem: string;
}

/** Reasons that are the organisation's own policy; all others are the sender's mistake. */
export const POLICY_REASONS: ReadonlySet<RefusalReason> = new Set<RefusalReason>(['over_quota', 'excluded']);

/** Maximum number of stored names of omitted series. */
const MAX_OMITTED_NAMES = 1000;

/** Points with the same problem per recorded line, such as the fields of one line with a wrong time. */
const CALLS_PER_LINE = 10;

/** Maximum stored length of a text that is not a metric name: such text has no other limit. */
const MAX_TEXT_LENGTH = 1024;

/**
 * Points of a body that are not stored, counted by metric name (canonical, or the text as sent if it is not a name) and
 * reason.
 */
export class Refusals {
  private readonly byMetric = new Map<string, ReasonCounts>();
  private readonly lines: BadLine[] = [];
  /** Calls of `addBadLine`: repeated problems are recorded once, and do not cost more than others. */
  private lineCalls = 0;
  private readonly omittedNames = new Set<string>();
  private refusedTotal = 0;
  private policyTotal = 0;
  private omittedTotal = 0;

  /** @param maxBadLines lines kept with their problem; further ones are only counted as points */
  constructor(private readonly maxBadLines = 100) {}

  /** Restores counts that came from another thread. */
  static from({ metrics, badLines, omitted }: Pick<Refusals, 'metrics' | 'badLines' | 'omitted'>): Refusals {
    const refusals = new Refusals();
    for (const [metric, counts] of metrics) {
      for (const [reason, points] of Object.entries(counts)) refusals.add(metric, reason as RefusalReason, points);
    }
    refusals.lines.push(...badLines);
    for (const name of omitted.names) refusals.omittedNames.add(name);
    refusals.omittedTotal = omitted.total;
    return refusals;
  }

  add(metric: string, reason: RefusalReason, points = 1): void {
    if (points <= 0) return;
    const key = keyOf(metric);
    let counts = this.byMetric.get(key);
    if (counts === undefined) {
      counts = {};
      this.byMetric.set(key, counts);
    }
    counts[reason] = (counts[reason] ?? 0) + points;
    this.refusedTotal += points;
    if (POLICY_REASONS.has(reason)) this.policyTotal += points;
  }

  /**
   * Notes the position of a refused line, once for each problem of a line; the points themselves are counted with
   * `add`.
   */
  addBadLine(reason: RefusalReason, line: number | null, problem: string): void {
    if (!this.takesLines) return;
    this.lineCalls++;
    const isKnown = this.lines.some((known) => known.line === line && known.problem === problem);
    if (!isKnown) this.lines.push({ reason, line, problem });
  }

  /** False if the maximum number of lines is already recorded: further problems need no description. */
  get takesLines(): boolean {
    return this.lines.length < this.maxBadLines && this.lineCalls < this.maxBadLines * CALLS_PER_LINE;
  }

  /**
   * Records a value that the protocol allows and that is not stored, such as a text field: neither a point nor an
   * error.
   */
  omit(metric: string): void {
    this.omittedTotal++;
    if (this.omittedNames.size < MAX_OMITTED_NAMES) this.omittedNames.add(keyOf(metric));
  }

  /** Values omitted without a refusal: their number, and the first names. */
  get omitted(): { total: number; names: ReadonlySet<string> } {
    return { total: this.omittedTotal, names: this.omittedNames };
  }

  /** Points refused. */
  get total(): number {
    return this.refusedTotal;
  }

  /** Points refused because they are wrong, not because of policy. */
  get invalid(): number {
    return this.refusedTotal - this.policyTotal;
  }

  /** The first bad lines of the body. */
  get badLines(): readonly BadLine[] {
    return this.lines;
  }

  /** Counts by metric, in order of first refusal. */
  get metrics(): ReadonlyMap<string, Readonly<ReasonCounts>> {
    return this.byMetric;
  }

  /** Points refused for one reason. */
  countOf(reason: RefusalReason): number {
    let points = 0;
    for (const counts of this.byMetric.values()) points += counts[reason] ?? 0;
    return points;
  }
}

function keyOf(metric: string): string {
  return metric.length > MAX_TEXT_LENGTH ? metric.slice(0, MAX_TEXT_LENGTH) : metric;
}
