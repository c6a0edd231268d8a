import { setTimeout as pause } from 'node:timers/promises';

/** Closed handles take some time to disappear. */
const TIMEOUT_MS = 2000;
const LOOK_EVERY_MS = 20;

/**
 * Resources that keep a process running and must not outlive a test file: connections, servers, timers, programs,
 * threads. Unreferenced handles, such as the timers of recurring work, are not listed; the connections of its
 * application are.
 */
const KINDS = /^(TCP|TLS|UDP|Process|Timeout|FSEvent|StatWatcher|Worker|MessagePort)/;
/** Objects whose members tests could replace without a spy. */
const OBJECTS = Object.entries({ globalThis, Date, Math, performance });
/**
 * Members that jest sets for each file. Compiler helpers (`__extends`) come with each copy of a package and are ignored
 * too.
 */
const OF_JEST = /^([fx]?(describe|it)|x?test|(before|after)(All|Each)|expect|jest|console)$/;

/** Members by name such as `Date.now`; for lazy ones only their existence. */
function members() {
  return OBJECTS.flatMap(([name, object]) =>
    Object.entries(Object.getOwnPropertyDescriptors(object))
      .filter(([member]) => !OF_JEST.test(member) && !member.startsWith('__'))
      .map(([member, { value, get }]) => [`${name}.${member}`, get === undefined ? value : undefined]),
  );
}

/** The members of JavaScript and Node. Packages add helpers to the global object, each copy its own. */
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

/** Returns a function that, after the test file, lists what the file has left open: `["2 TCPSocketWrap"]`. */
export function watchLeftovers() {
  // Without workers, jest's own process runs the tests, and starts their database during the first file.
  if (process.send === undefined) return () => [];
  const before = held();
  const known = new Map(members());
  // A lazy member that was created since is not a replacement.
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
