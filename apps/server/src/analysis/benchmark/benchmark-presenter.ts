import { BENCHMARK_MODELS, DEFAULT_MODEL_IDS } from './benchmark-models.types.js';
import { type BenchmarkEntity } from './benchmark.entity.js';
import { BENCHMARK_KEPT_SECONDS, type LabelFigures, type ModelProgress } from './benchmark.types.js';
import {
  type BenchmarkDto,
  type BenchmarkModelResultDto,
  type BenchmarkModelsDto,
  type LabelFiguresDto,
} from './dto/benchmark.dto.js';

/** Relative duration of the models by speed. */
const EFFORT = { fast: 1, medium: 3, slow: 20 } as const;

export function toModelsDto(): BenchmarkModelsDto {
  return {
    models: BENCHMARK_MODELS.map(({ minimumPoints, ...model }) => ({
      ...model,
      default: DEFAULT_MODEL_IDS.includes(model.id),
      minimum_points: minimumPoints,
    })),
  };
}

export function toBenchmarkDto(row: BenchmarkEntity): BenchmarkDto {
  return {
    benchmark_id: row.key,
    name: row.name,
    status: row.status,
    percent: percentOf(row),
    message: row.message,
    created_timestamp: seconds(row.createdAt),
    started_timestamp: row.startedAt && seconds(row.startedAt),
    finished_timestamp: row.finishedAt && seconds(row.finishedAt),
    expires_timestamp: seconds(row.createdAt) + BENCHMARK_KEPT_SECONDS,
    points_count: row.pointsCount,
    resolution_seconds: row.resolutionSeconds,
    from: seconds(row.fromAt),
    until: seconds(row.untilAt),
    labels_count: row.labels.length,
    email_set: row.email !== null || row.mailed,
    models: row.models.map(toResultDto),
  };
}

function toResultDto(model: ModelProgress): BenchmarkModelResultDto {
  return {
    id: model.id,
    status: model.status,
    runtime_seconds: model.runtimeSeconds,
    anomalies_count: model.anomaliesCount,
    message: model.message,
    metrics: toFiguresDto(model.figures),
  };
}

export function toFiguresDto(figures: LabelFigures | null): LabelFiguresDto | null {
  if (figures === null) return null;
  const round = (value: number | null, digits: number): number | null =>
    value === null ? null : Number(value.toFixed(digits));
  return {
    true_positives: figures.truePositives,
    false_positives: figures.falsePositives,
    false_negatives: figures.falseNegatives,
    precision: round(figures.precision, 3),
    recall: round(figures.recall, 3),
    f1: round(figures.f1, 3),
    nab_score: round(figures.nabScore, 1),
  };
}

/** By models, weighted with their approximate cost. */
function percentOf({ status, models }: BenchmarkEntity): number {
  if (status === 'finished' || status === 'failed') return 100;
  const effort = (some: readonly ModelProgress[]): number =>
    some.reduce((sum, { id }) => sum + EFFORT[BENCHMARK_MODELS.find((model) => model.id === id)?.speed ?? 'fast'], 0);
  const done = models.filter((model) => model.status === 'finished' || model.status === 'failed');
  return Math.floor((100 * effort(done)) / Math.max(1, effort(models)));
}

const seconds = (at: Date): number => Math.floor(at.getTime() / 1000);
