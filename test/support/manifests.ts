import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { loadAll } from 'js-yaml';
import ts from 'typescript';

const require = createRequire(import.meta.url);
const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, '../..');

/** A Kubernetes object as sent to a cluster. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string };
  [field: string]: unknown;
}

/** The objects that `kubectl apply -k` would send for a folder below deploy/kustomize. Needs no cluster. */
export async function render(folder: string): Promise<Manifest[]> {
  const { stdout } = await run('kubectl', ['kustomize', join(ROOT, 'deploy/kustomize', folder)]);
  return loadAll(stdout) as Manifest[];
}

const CHART = join(ROOT, 'deploy/helm/plumbline');

/**
 * The objects that `helm install` would send for the chart, rendered with Go templates and sprig
 * (test/support/render-chart).
 * @param values files of values in addition to those of the chart
 */
export async function renderChart(program: string, ...values: string[]): Promise<Manifest[]> {
  const { stdout } = await run(program, [CHART, 'plumbline', 'plumbline', ...values]);
  return (loadAll(stdout) as (Manifest | null)[]).filter((each) => each !== null);
}

/** Compiles the chart renderer into `folder`; returns the path of the program. */
export async function buildChartRenderer(folder: string): Promise<string> {
  const program = join(folder, 'render-chart');
  // Debian installs the sources of the libraries in a folder, not as modules.
  const env = {
    ...process.env,
    GO111MODULE: 'off',
    GOPATH: '/usr/share/gocode',
    GOFLAGS: '-buildvcs=false',
    GOCACHE: join(folder, 'cache'),
  };
  await run('go', ['build', '-o', program, join(ROOT, 'test/support/render-chart/main.go')], { env });
  return program;
}

/** The part of a pod template that tests use. */
export interface PodTemplate {
  metadata: { labels: Record<string, string> };
  spec: {
    containers: [Container];
    securityContext: { runAsUser: number; runAsGroup: number };
    volumes: { name: string; emptyDir: { sizeLimit: string } }[];
    terminationGracePeriodSeconds: number;
  };
}

interface Container {
  image: string;
  args: string[];
  env: { name: string; valueFrom: { secretKeyRef: { name: string; key: string; optional?: boolean } } }[];
  ports: { name: string; containerPort: number }[];
  volumeMounts: { name: string; mountPath: string }[];
  resources: { requests: Record<string, string>; limits: Record<string, string> };
  securityContext: object;
  lifecycle: { preStop: { exec: { command: [string, ...string[]] } } };
}

/** The object of this kind and name. */
export function manifest(manifests: readonly Manifest[], kind: string, name: string): Manifest {
  const found = manifests.find((each) => each.kind === kind && each.metadata.name === name);
  if (!found) throw new Error(`There is no ${kind} ${name}`);
  return found;
}

/** Kinds whose objects create pods. */
export type PodKind = 'Deployment' | 'StatefulSet' | 'Job';

/** The pod template of a deployment, a stateful set or a job. */
export function podOf(manifests: readonly Manifest[], kind: PodKind, name: string): PodTemplate {
  return (manifest(manifests, kind, name).spec as { template: PodTemplate }).template;
}

/** Environment variables of the only ConfigMap. */
export function settingsOfPods(manifests: readonly Manifest[]): Record<string, string> {
  return manifests.find(({ kind }) => kind === 'ConfigMap')?.data as Record<string, string>;
}

/** Errors of an object against the published schema of its kind; empty without any. */
export function schemaProblems({ apiVersion, kind, ...rest }: Manifest): string[] {
  const module = require(`kubernetes-models/${apiVersion}/${kind}`) as Record<
    string,
    new (data: object) => { validate(): void }
  >;
  const Kind = module[kind];
  if (!Kind) throw new Error(`There is no schema of ${apiVersion} ${kind}`);
  try {
    new Kind(rest).validate();
    return [];
  } catch (error) {
    return [`${kind}: ${(error as Error).message}`];
  }
}

/**
 * Fields that the kind of an object does not have. The schemas allow additional fields, which a cluster would drop; the
 * types generated from the schemas do not, so this uses the compiler.
 */
export function unknownFields(manifests: readonly Manifest[]): string[] {
  const file = join(ROOT, 'test/support/rendered-manifests.ts');
  const lines = manifests.map(({ apiVersion, kind, ...rest }, index) => {
    const type = `import('kubernetes-models/${apiVersion}/${kind}').I${kind}`;
    return `export const m${String(index)}: ${type} = ${JSON.stringify({ apiVersion, kind, ...rest })};`;
  });
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (path) => path === file || fileExists.call(host, path);
  host.getSourceFile = (path, ...more) =>
    path === file
      ? ts.createSourceFile(path, lines.join('\n'), ts.ScriptTarget.ES2022)
      : getSourceFile.call(host, path, ...more);
  const program = ts.createProgram([file], options, host);
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}
