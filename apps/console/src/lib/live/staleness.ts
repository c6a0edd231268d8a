import { type QueryClient } from '@tanstack/react-query';

const GATHER_MS = 1000;

/**
 * The stale data that is not reloaded yet. Events of one second are collected, so that a storm of them loads each list
 * once. While the tab is in the background, loading waits until it is visible.
 */
export class Staleness {
  private readonly keys = new Set<string>();
  private isAllStale = false;
  private gathering: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly client: QueryClient,
    private readonly isLookedAt: () => boolean,
  ) {}

  /** First members of query keys. */
  note(keys: readonly string[]): void {
    for (const key of keys) this.keys.add(key);
    this.gathering ??= setTimeout(() => this.load(), GATHER_MS);
  }

  noteAll(): void {
    this.isAllStale = true;
    this.load();
  }

  /** Reloads the stale data, if the tab is visible. */
  load(): void {
    this.stop();
    if (!this.isLookedAt()) return;
    const isAll = this.isAllStale;
    const keys = [...this.keys];
    this.isAllStale = false;
    this.keys.clear();
    if (isAll) void this.client.invalidateQueries();
    else for (const key of keys) void this.client.invalidateQueries({ queryKey: [key] });
  }

  stop(): void {
    clearTimeout(this.gathering);
    this.gathering = undefined;
  }
}
