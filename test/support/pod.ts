import { type ChildProcess, execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../scripts/free-port.mjs';
import { type PodTemplate } from './manifests.js';
import { START_MS, until } from './product.js';
import { endProgram, startProgram } from './programs.js';

const run = promisify(execFile);
const BUILT = resolve(import.meta.dirname, '../..');
const UNITS: Readonly<Record<string, number>> = { Mi: 2 ** 20, Gi: 2 ** 30 };

/**
 * Creates the root of a container: programs and libraries of this machine, from the product only the content of the
 * image, all of it read-only, and the writable folders of the pod. Then starts the product without privileges.
 */
const CONTAINER = `
  mount -t tmpfs tmpfs "$ROOT"
  bind() { mount --rbind "$1" "$2"; mount -o remount,bind,ro "$2"; }
  for folder in usr lib lib64 bin etc dev proc sys; do
    if [ -L "/$folder" ]; then cp -P "/$folder" "$ROOT/"
    elif [ -d "/$folder" ]; then mkdir "$ROOT/$folder"; mount --rbind "/$folder" "$ROOT/$folder"; fi
  done
  for folder in usr lib lib64 bin etc; do
    if [ -d "$ROOT/$folder" ] && [ ! -L "$ROOT/$folder" ]; then mount -o remount,bind,ro "$ROOT/$folder"; fi
  done
  touch "$ROOT/node"; bind "$NODE" "$ROOT/node"
  mkdir "$ROOT/app"; cp "$BUILT/package.json" "$ROOT/app/"
  for folder in node_modules dist bin; do mkdir "$ROOT/app/$folder"; bind "$BUILT/$folder" "$ROOT/app/$folder"; done
  for mount in $WRITABLE; do
    mkdir "$ROOT\${mount%=*}"; mount -t tmpfs -o "mode=1777,size=\${mount#*=}" tmpfs "$ROOT\${mount%=*}"
  done
  mount -o remount,ro "$ROOT"
  if [ -n "$CGROUP" ]; then echo $$ > "$CGROUP/cgroup.procs"; fi
  unset BUILT NODE WRITABLE CGROUP
  exec chroot "$ROOT" /usr/bin/env -u ROOT -C /app /usr/bin/setpriv --reuid "$1" --regid "$2" --clear-groups \\
    --no-new-privs --bounding-set=-all --inh-caps=-all /node dist/apps/cli/src/main.js "\${@:3}"
`;

/** A pod like in a cluster, without a cluster. */
export interface Pod {
  port: number;
  pid: number;
  /** Everything that the pod has printed. */
  output(): string;
  isRunning(): boolean;
  /** Resolves with the exit code of the pod. */
  ended(): Promise<number | null>;
  /** Resolves when `GET /readyz` succeeds. */
  ready(): Promise<void>;
  /**
   * Does what a node does with a deleted pod: preStop, SIGTERM, and a kill after the grace period, which is an error.
   * Resolves with the exit code.
   */
  delete(): Promise<number | null>;
  /** Stops the pod and removes its files. */
  dispose(): Promise<void>;
}

/**
 * Starts the built product under the limits of a pod template: user, read-only files, no capabilities, memory. Only the
 * system call filter is omitted. Linux; needs root.
 * @param secrets values of the secrets of the installation, and other environment variables
 */
export async function startPod(
  { spec }: PodTemplate,
  settings: Readonly<Record<string, string>>,
  secrets: Readonly<Record<string, string>>,
): Promise<Pod> {
  const [container] = spec.containers;
  const root = await mkdtemp(join(tmpdir(), 'plumbline-pod-'));
  const [port, managementPort] = [await freePort(), await freePort()];
  const memory = bytes(container.resources.limits.memory!);
  const group = await memoryGroup(root.slice(root.lastIndexOf('/') + 1), memory);
  const writable = container.volumeMounts.map(({ name, mountPath }) => {
    const { emptyDir } = spec.volumes.find((volume) => volume.name === name)!;
    return `${mountPath}=${String(bytes(emptyDir.sizeLimit))}`;
  });
  const { runAsUser, runAsGroup } = spec.securityContext;
  const child: ChildProcess = startProgram(
    'unshare',
    [
      ...['--mount', '--propagation', 'private', 'bash', '-euc', CONTAINER, 'pod'],
      ...[String(runAsUser), String(runAsGroup), ...container.args],
    ],
    {
      env: {
        PATH: process.env.PATH,
        // Without a control group, at least the heap is limited.
        ...(group === null && {
          NODE_OPTIONS: `--max-old-space-size=${String(Math.round((0.75 * memory) / 2 ** 20))}`,
        }),
        ...(await imageEnvironment()),
        ...settings,
        ...secrets,
        PORT: String(port),
        MANAGEMENT_PORT: String(managementPort),
        ...{ ROOT: root, BUILT, NODE: process.execPath, WRITABLE: writable.join(' '), CGROUP: group ?? '' },
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  const exited = new Promise<number | null>((done) => child.once('exit', done));
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  return {
    port,
    pid: child.pid!,
    output: () => output,
    isRunning,
    ended: () => exited,
    async ready() {
      const isReady = async (): Promise<true | undefined> => {
        if (!isRunning()) throw new Error('The pod has ended');
        const answer = await fetch(`http://127.0.0.1:${String(managementPort)}/readyz`);
        return answer.ok ? true : undefined;
      };
      await until('the pod to be ready', isReady, { timeoutMs: START_MS }).catch((error: unknown) => {
        throw new Error(`The pod did not become ready:\n${output}`, { cause: error });
      });
    },
    async delete() {
      const began = Date.now();
      const [command, ...args] = container.lifecycle.preStop.exec.command;
      await run(command, args);
      return endProgram(child, { timeoutMs: 1000 * spec.terminationGracePeriodSeconds - (Date.now() - began) });
    },
    async dispose() {
      await endProgram(child);
      await rm(root, { recursive: true, force: true });
      if (group !== null) await rmdir(group);
    },
  };
}

/** A control group with a memory limit; null if none can be created. */
async function memoryGroup(name: string, limit: number): Promise<string | null> {
  const versions = [
    ['/sys/fs/cgroup/memory', 'memory.limit_in_bytes'],
    ['/sys/fs/cgroup', 'memory.max'],
  ] as const;
  for (const [parent, file] of versions) {
    const folder = join(parent, name);
    try {
      await mkdir(folder);
    } catch {
      continue;
    }
    try {
      await writeFile(join(folder, file), String(limit));
      return folder;
    } catch {
      await rmdir(folder).catch(() => undefined);
    }
  }
  return null;
}

/** Environment variables that the image sets. */
async function imageEnvironment(): Promise<Record<string, string>> {
  const words = /^ENV (.+)$/m.exec(await readFile(join(BUILT, 'Dockerfile'), 'utf8'))![1]!.split(' ');
  return Object.fromEntries(words.map((word) => word.split('=') as [string, string]));
}

/** `64Mi` in bytes. */
function bytes(quantity: string): number {
  const [, amount, unit] = /^(\d+)(Mi|Gi)$/.exec(quantity) ?? [];
  if (amount === undefined || unit === undefined) throw new Error(`${quantity} is no quantity with Mi or Gi`);
  return Number(amount) * UNITS[unit]!;
}
