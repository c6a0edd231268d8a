import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { EVENT_TYPES, type EventType } from '#libs/contracts';
import { NOT_IMPLEMENTED } from '../../apps/server/src/common/http/not-implemented.js';

const SERVER = resolve(import.meta.dirname, '../../apps/server/src');

/** Kinds of areas that are not built yet, with a call of the area: who serves it records the kind too. */
const PENDING: Partial<Record<EventType, string>> = {
  watcher_created: '/watcher',
  watcher_updated: '/watcher/:watcher_id',
  watcher_deleted: '/watcher/:watcher_id',
  watcher_restored: '/watcher/:watcher_id/undelete',
  threshold_breached: '/watcher/threshold',
  threshold_recovered: '/watcher/threshold',
  alert_sent: '/watcher',
  alert_failed: '/watcher',
  alert_suppressed: '/watcher',
  summary_sent: '/watcher',
};

/** The texts of the server besides its tests. */
const SOURCES = readdirSync(SERVER, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.endsWith('spec.ts'))
  .map((path) => readFileSync(join(SERVER, path), 'utf8'));

describe('the kinds of events', () => {
  it.each(EVENT_TYPES.filter((kind) => PENDING[kind] === undefined))('%s is recorded somewhere', (kind) => {
    expect(SOURCES.some((source) => source.includes(`'${kind}'`))).toBe(true);
  });

  it('wait for calls that are not served yet, and for no others', () => {
    const pending = new Set(NOT_IMPLEMENTED.map(({ path }) => path));
    expect(Object.entries(PENDING).filter(([, path]) => !pending.has(path))).toEqual([]);
  });
});
