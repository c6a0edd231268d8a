import { BASELINES } from '#libs/baselines';

/** The models of the contract; the first three are the default. */
export const BENCHMARK_MODEL_IDS = [
  'plumbline',
  'sigma_vote',
  'robust_deviation',
  'seasonal_profile',
  'spectral_residual',
  'isolation_forest',
  'matrix_profile',
] as const;
export type BenchmarkModelId = (typeof BENCHMARK_MODEL_IDS)[number];

export const DEFAULT_MODEL_IDS: readonly BenchmarkModelId[] = BENCHMARK_MODEL_IDS.slice(0, 3);

/** A method of finding anomalies that can be tried on a series. */
export interface BenchmarkModel {
  id: BenchmarkModelId;
  name: string;
  description: string;
  source: string;
  minimumPoints: number;
  speed: 'fast' | 'medium' | 'slow';
}

const PLUMBLINE: BenchmarkModel = {
  id: 'plumbline',
  name: 'Plumbline detector',
  description:
    'The detector of this service, as it judges metrics live: each point by those before it, with seasons, tails and ' +
    'a limit on false alarms.',
  source: 'docs/detection.md of Plumbline',
  minimumPoints: 100,
  speed: 'medium',
};

export const BENCHMARK_MODELS: readonly BenchmarkModel[] = BENCHMARK_MODEL_IDS.map((id) => {
  if (id === 'plumbline') return PLUMBLINE;
  const baseline = BASELINES.find((candidate) => candidate.id === id);
  if (!baseline) throw new Error(`There is no method ${id}`);
  const { name, description, source, minimumPoints, speed } = baseline;
  return { id, name, description, source, minimumPoints, speed };
});
