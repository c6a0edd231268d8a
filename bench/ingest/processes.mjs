/** Processor time and memory of processes, from /proc (Linux). */
import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks of /proc: 100 a second on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;
const PAGE_BYTES = 4096;

const read = (path) => {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return null;
  }
};

/** Parent and processor seconds of a process or thread; null if it has ended. */
function stat(path) {
  const text = read(`${path}/stat`);
  if (text === null) return null;
  // The name is in brackets and may contain any character.
  const end = text.lastIndexOf(')');
  const fields = text.slice(end + 2).split(' ');
  return {
    parent: Number(fields[1]),
    seconds: (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND,
    bytes: Number(fields[21]) * PAGE_BYTES,
  };
}

/** Process ids of `root` and of all its descendants. */
function tree(root) {
  const children = new Map();
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const found = stat(`/proc/${entry}`);
    if (found) children.set(found.parent, [...(children.get(found.parent) ?? []), Number(entry)]);
  }
  const all = [];
  for (const next = [root]; next.length > 0;) {
    const pid = next.pop();
    all.push(pid);
    next.push(...(children.get(pid) ?? []));
  }
  return all;
}

/** Private bytes of the process plus its share of shared memory; the shared buffers of PostgreSQL count once. */
function proportionalBytes(pid) {
  const text = read(`/proc/${pid}/smaps_rollup`);
  const found = text && /^Pss:\s+(\d+) kB$/m.exec(text);
  return found ? 1024 * Number(found[1]) : (stat(`/proc/${pid}`)?.bytes ?? 0);
}

function partOf(pid, root, command) {
  if (/postgres/.test(command)) {
    const role = /postgres: (?:\S+: )?(walwriter|checkpointer|background writer|autovacuum|io worker)/.exec(
      command,
    )?.[1];
    return role === undefined ? 'postgres backends' : `postgres ${role}`;
  }
  return pid === root ? null : 'other processes';
}

/**
 * Watches a process and its children; for a Node process, the main thread and the other threads separately. The
 * processor time of a process that ends between two samples counts up to the last sample.
 */
export function watchProcesses(root, { isNode = true, everyMs = 500, memoryEveryMs = 5000 } = {}) {
  const seen = new Map();
  const began = Date.now();
  const memory = [];
  let before = new Map();
  let measuredAt = -Infinity;

  function look() {
    const shouldMeasureMemory = Date.now() - measuredAt >= memoryEveryMs;
    let bytes = 0;
    for (const pid of tree(root)) {
      const command = (read(`/proc/${pid}/cmdline`) ?? '').replaceAll('\0', ' ').trim();
      const part = partOf(pid, root, command) ?? (isNode ? null : 'process');
      if (shouldMeasureMemory) bytes += proportionalBytes(pid);
      if (part !== null) note(`${pid}`, part, stat(`/proc/${pid}`));
      else lookAtThreads(pid);
    }
    if (!shouldMeasureMemory) return;
    measuredAt = Date.now();
    memory.push({ seconds: (measuredAt - began) / 1000, bytes });
  }

  function lookAtThreads(pid) {
    let threads = [];
    try {
      threads = readdirSync(`/proc/${pid}/task`);
    } catch {
      return;
    }
    const ids = threads.map(Number).sort((one, other) => one - other);
    ids.forEach((id, index) => note(`${pid}/${id}`, threadPart(index), stat(`/proc/${pid}/task/${id}`)));
  }

  function note(key, part, found) {
    if (found) seen.set(key, { part, seconds: found.seconds });
  }

  look();
  const timer = setInterval(look, everyMs);
  return {
    /** Restarts the counting of processor time. */
    reset() {
      look();
      before = new Map([...seen].map(([key, { seconds }]) => [key, seconds]));
    },
    /** Processor seconds by part since the last reset. */
    cpu() {
      look();
      const sums = {};
      for (const [key, { part, seconds }] of seen) sums[part] = (sums[part] ?? 0) + seconds - (before.get(key) ?? 0);
      return sums;
    },
    /** Samples of memory over time, total of all processes. */
    memory: () => memory,
    stop: () => clearInterval(timer),
  };
}

/** Threads that V8 starts before any other: garbage collection and compilation. */
const ENGINE_THREADS = 5;

/** Threads of Node have no names; their order of creation identifies them. */
function threadPart(index) {
  if (index === 0) return 'main thread';
  return index <= ENGINE_THREADS ? 'garbage collection' : 'worker threads';
}
