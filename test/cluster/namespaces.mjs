import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const PREFIX = 'plumbline-';
/** CAP_NET_ADMIN for links, CAP_SYS_ADMIN for namespaces. */
const CAPABILITIES = (1n << 12n) | (1n << 21n);
const PROGRAMS = {
  ip: 'iproute2',
  haproxy: 'haproxy',
  'nats-server': 'nats-server',
  'victoria-metrics': 'victoria-metrics',
};

/** @param {readonly string[]} args */
export async function ip(...args) {
  const { stdout } = await run('ip', args);
  return stdout;
}

/**
 * Names of the network of a run. Interfaces have at most 15 characters.
 * @param {string} id process id of the run
 */
export function namesOf(id) {
  return {
    bridge: `plb${id}`,
    /** @param {number} host */
    namespace: (host) => `${PREFIX}${id}-${String(host)}`,
    /** The end of a host's cable at the bridge. @param {number} host */
    cable: (host) => `plv${id}-${String(host)}`,
  };
}

/** What this machine lacks for network namespaces; empty if nothing. */
export async function lacking() {
  const lacks = [];
  const status = await readFile('/proc/self/status', 'utf8').catch(() => '');
  const effective = BigInt(`0x${/^CapEff:\s*([0-9a-f]+)$/m.exec(status)?.[1] ?? '0'}`);
  if ((effective & CAPABILITIES) !== CAPABILITIES) {
    lacks.push('root with CAP_NET_ADMIN and CAP_SYS_ADMIN, on Linux: the hosts of the cluster are network namespaces');
  }
  for (const [program, packageName] of Object.entries(PROGRAMS)) {
    await run('sh', ['-c', `command -v ${program}`]).catch(() =>
      lacks.push(`the program ${program} (package ${packageName}; scripts/install-test-services.sh installs it)`),
    );
  }
  return lacks;
}

/**
 * Kills all programs in the namespaces of a run, and removes the namespaces, the bridge and the links. Without
 * namespaces it does nothing.
 * @param {string} id
 */
export async function removeNetwork(id) {
  const ours = (await namespaces()).filter((name) => name.startsWith(`${PREFIX}${id}-`));
  for (const name of ours) {
    for (const pid of (await ip('netns', 'pids', name).catch(() => '')).split('\n').filter(Boolean)) {
      try {
        process.kill(Number(pid), 'SIGKILL');
      } catch {
        // The process has ended in the meantime.
      }
    }
    // Deleting the namespace also deletes both ends of the cable.
    await ip('netns', 'delete', name).catch(() => undefined);
  }
  await ip('link', 'delete', namesOf(id).bridge).catch(() => undefined);
}

/** Removes the networks of runs that were killed. */
export async function removeAbandoned() {
  const ids = new Set((await namespaces()).flatMap((name) => /^plumbline-(\d+)-\d+$/.exec(name)?.[1] ?? []));
  for (const id of ids) if (!(await isRunning(id))) await removeNetwork(id);
}

async function namespaces() {
  return readdir('/run/netns').catch(() => []);
}

/** @param {string} pid */
async function isRunning(pid) {
  return readdir(`/proc/${pid}`).then(
    () => true,
    () => false,
  );
}
