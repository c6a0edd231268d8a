import { setTimeout as pause } from 'node:timers/promises';

/** What is closed takes its time to be gone. */
const TIMEOUT_MS = 2000;
const LOOK_EVERY_MS = 20;

/**
 * What keeps a process running and has no place between two test files: connections, servers, timers, programs, threads.
 * Handles that are unreferenced, like the timers of recurring work, do not show; the connections of its application do.
 */
const KINDS = /^(TCP|TLS|UDP|Process|Timeout|FSEvent|StatWatcher|Worker|MessagePort)/;
/** Whose members tests could replace without a spy. */
const OBJECTS = Object.entries({ globalThis, Date, Math, performance });
/** What jest itself puts there for each file; helpers of compilers (`__extends`) come with each copy of a package. */
const OF_JEST = /^([fx]?(describe|it)|x?test|(before|after)(All|Each)|expect|jest|console)$/;

/** Members by `Date.now`; of those that are made when they are asked for, only that they are there. */
function members() {
  return OBJECTS.flatMap(([name, object]) =>
    Object.entries(Object.getOwnPropertyDescriptors(object))
      .filter(([member]) => !OF_JEST.test(member) && !member.startsWith('__'))
      .map(([member, { value, get }]) => [`${name}.${member}`, get === undefined ? value : undefined]),
  );
}

/** Those of JavaScript and Node: packages put helpers into the global object, each copy its own. */
const OF_NODE = new Set(members().map(([name]) => name));

function held() {
  const counts = new Map();
  for (const kind of process.getActiveResourcesInfo()) {
    if (KINDS.test(kind)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  for (const event of process.eventNames()) counts.set(`listener of ${String(event)}`, process.listenerCount(event));
  return counts;
}

function moreThan(before) {
  const more = [...held()].map(([kind, count]) => [kind, count - (before.get(kind) ?? 0)]);
  return more.filter(([, count]) => count > 0).map(([kind, count]) => `${String(count)} ${kind}`);
}

/** Answers what tells, after the test file, what it has left open: `["2 TCPSocketWrap"]`. */
export function watchLeftovers() {
  // Without workers the process of jest runs the tests, and starts their database while the first file runs.
  if (process.send === undefined) return () => [];
  const before = held();
  const known = new Map(members());
  // What was made on demand since is not replaced.
  const isChanged = ([name, value]) => OF_NODE.has(name) && ![undefined, value].includes(known.get(name));
  return async () => {
    const end = Date.now() + TIMEOUT_MS;
    for (;;) {
      const left = moreThan(before);
      const changed = members()
        .filter(isChanged)
        .map(([name]) => `a changed ${name}`);
      if (left.length + changed.length === 0 || Date.now() > end) return [...left, ...changed];
      await pause(LOOK_EVERY_MS);
    }
  };
}
