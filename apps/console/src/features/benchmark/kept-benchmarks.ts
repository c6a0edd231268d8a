import { KEPT_LINKS } from '../../lib/kept-links';
import { signal } from '../../lib/signal';

/**
 * A benchmark that was started in this browser. The API has no list: the id is the only key, and cannot be recovered.
 */
export interface KeptBenchmark {
  id: string;
  /** A second benchmark with further models of the same series. */
  with?: string;
  name: string;
  /** Unix seconds. */
  startedAt: number;
  expiresAt: number;
}

const MOST = 50;

function isKept(value: unknown): value is KeptBenchmark {
  const { id, name, startedAt, expiresAt, with: second } = (value ?? {}) as Partial<KeptBenchmark>;
  return (
    typeof id === 'string' &&
    typeof name === 'string' &&
    typeof startedAt === 'number' &&
    typeof expiresAt === 'number' &&
    (second === undefined || typeof second === 'string')
  );
}

function read(): readonly KeptBenchmark[] {
  try {
    const list = JSON.parse(localStorage.getItem(KEPT_LINKS) ?? '[]') as unknown;
    // Links to benchmarks with erased results are omitted.
    return Array.isArray(list) ? list.filter(isKept).filter(({ expiresAt }) => expiresAt > Date.now() / 1000) : [];
  } catch {
    return [];
  }
}

const kept = signal<readonly KeptBenchmark[]>(read());

function write(list: readonly KeptBenchmark[]): void {
  kept.set(list);
  try {
    if (list.length === 0) localStorage.removeItem(KEPT_LINKS);
    else localStorage.setItem(KEPT_LINKS, JSON.stringify(list));
  } catch {
    // If the browser stores nothing, the list lasts until the page is left.
  }
}

/** Newest first. */
export const useKeptBenchmarks = (): readonly KeptBenchmark[] => kept.use();

export const isKeptHere = (id: string): boolean => kept.get().some((one) => one.id === id);

export function keepBenchmark(benchmark: KeptBenchmark): void {
  const others = read().filter(({ id }) => id !== benchmark.id);
  write([benchmark, ...others].toSorted((one, other) => other.startedAt - one.startedAt).slice(0, MOST));
}

export function forgetBenchmark(id: string): void {
  write(read().filter((one) => one.id !== id));
}
