import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { IngestConfig } from '../../apps/server/src/data/ingest/ingest.config.js';
import { INGEST_PATHS } from '../../apps/server/src/common/http/api-paths.js';
import { ROLES } from '../../apps/server/src/common/config/server.config.js';
import { settingsOf } from '../../apps/server/src/common/config/setting.decorator.js';
import { productVersion } from '../../apps/server/src/common/product-version.js';
import { CONFIG_CLASSES } from '../../apps/server/src/config.registry.js';
import {
  buildChartRenderer,
  type Manifest,
  manifest,
  type PodKind,
  podOf,
  render,
  renderChart,
  schemaProblems,
  settingsOfPods,
  unknownFields,
} from '../support/manifests.js';

const CLOSING_SECONDS = 40;
const ROOT = join(import.meta.dirname, '../..');

const dockerfile = await readFile(join(ROOT, 'Dockerfile'), 'utf8');

describe.each(['base', 'example'])('deploy/kustomize/%s', (folder) => {
  let manifests: Manifest[];

  beforeAll(async () => {
    manifests = await render(folder);
  });

  it('has all manifests', () => {
    const kinds = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(kinds.sort()).toEqual([
      // The name ends with the hash of the content.
      expect.stringMatching(/^ConfigMap plumbline-[a-z0-9]{10}$/),
      'Deployment plumbline',
      'Ingress plumbline',
      'Job plumbline-migrate',
      'NetworkPolicy plumbline',
      'PodDisruptionBudget plumbline',
      'Service plumbline',
      'Service plumbline-management',
    ]);
  });

  it('conforms to the published schemas', () => {
    expect(manifests.flatMap(schemaProblems)).toEqual([]);
    expect(unknownFields(manifests)).toEqual([]);
  });

  it.each<['Deployment' | 'Job', string]>([
    ['Deployment', 'plumbline'],
    ['Job', 'plumbline-migrate'],
  ])('confines the pods of the %s to the profile "restricted", with further limits', (kind, name) => {
    const { spec } = podOf(manifests, kind, name);
    expect(spec).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
    });
    expect(spec.containers).toHaveLength(1);
    const [container] = spec.containers;
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(container.resources.limits.memory).toBe(container.resources.requests.memory);
    // Writable folders are limited in size and are lost with the pod.
    expect(container.volumeMounts.map(({ mountPath }) => mountPath)).toEqual(['/data', '/tmp']);
    expect(spec.volumes.map(({ emptyDir }) => emptyDir)).toEqual([{ sizeLimit: '64Mi' }, { sizeLimit: '64Mi' }]);
  });

  it('requires the address of the database and the secret key', () => {
    const [{ env }] = podOf(manifests, 'Deployment', 'plumbline').spec.containers;
    expect(env.map(({ name, valueFrom }) => [name, valueFrom.secretKeyRef.optional ?? false])).toEqual([
      ['DATABASE_URL', false],
      ['PLUMBLINE_SECRET_KEY', false],
    ]);
  });

  it('selects the pods in services, disruption budget and network policy', () => {
    const { labels } = podOf(manifests, 'Deployment', 'plumbline').metadata;
    for (const name of ['plumbline', 'plumbline-management']) {
      expect(manifest(manifests, 'Service', name).spec).toMatchObject({ selector: labels });
    }
    expect(manifest(manifests, 'PodDisruptionBudget', 'plumbline').spec).toMatchObject({
      selector: { matchLabels: labels },
    });
    const common = { 'app.kubernetes.io/name': 'plumbline' };
    expect(manifest(manifests, 'NetworkPolicy', 'plumbline').spec).toMatchObject({
      podSelector: { matchLabels: common },
    });
    for (const [kind, name] of [
      ['Deployment', 'plumbline'],
      ['Job', 'plumbline-migrate'],
    ] as const) {
      expect(podOf(manifests, kind, name).metadata.labels).toMatchObject(common);
    }
  });

  it('sets only known settings', () => {
    const known = CONFIG_CLASSES.flatMap((configClass) => settingsOf(configClass).map(({ env }) => env));
    expect(known).toEqual(expect.arrayContaining(Object.keys(settingsOfPods(manifests))));
  });
});

describe('the overlay of deploy/kustomize/example', () => {
  it('sets its own image, namespace, host name and settings', async () => {
    const manifests = await render('example');
    expect(manifests.map(({ metadata }) => metadata.namespace)).toEqual(manifests.map(() => 'plumbline'));
    for (const [kind, name] of [
      ['Deployment', 'plumbline'],
      ['Job', 'plumbline-migrate'],
    ] as const) {
      const [{ image }] = podOf(manifests, kind, name).spec.containers;
      expect(image).toBe(`registry.example.org/plumbline:${productVersion()}`);
    }
    expect(manifest(manifests, 'Ingress', 'plumbline').spec).toMatchObject({
      tls: [{ hosts: ['metrics.example.org'] }],
      rules: [{ host: 'metrics.example.org' }],
    });
    expect(settingsOfPods(manifests)).toMatchObject({
      PUBLIC_URL: 'https://metrics.example.org',
      PLUMBLINE_DEMO: 'off',
    });
  });
});

/** A resource of the Prometheus operator, whose schema is not among those of Kubernetes. */
const isOperators = ({ apiVersion }: Manifest): boolean => apiVersion === 'monitoring.coreos.com/v1';

const kindOfRole = (role: string): PodKind => (role === 'detect' ? 'StatefulSet' : 'Deployment');

/** The services of the ingress, by path. */
function backendsOf(manifests: readonly Manifest[]): Record<string, string> {
  const { rules } = manifest(manifests, 'Ingress', 'plumbline').spec as {
    rules: { http: { paths: { path: string; backend: { service: { name: string } } }[] } }[];
  };
  return Object.fromEntries(rules[0]!.http.paths.map(({ path, backend }) => [path, backend.service.name]));
}

describe.each(['deploy/kustomize/scaled', 'deploy/helm/plumbline with mode: scaled'])('%s', (what) => {
  let folder: string;
  let manifests: Manifest[];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plumbline-test-chart-'));
    if (what === 'deploy/kustomize/scaled') {
      manifests = await render('scaled');
    } else {
      await writeFile(join(folder, 'values.yaml'), 'mode: scaled\nserviceMonitor: { enabled: true }\n');
      manifests = await renderChart(await buildChartRenderer(folder), join(folder, 'values.yaml'));
    }
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('has all manifests', () => {
    // Names of config maps end with the hash of the content, names of jobs with the number of the release.
    const kinds = manifests.map(({ kind, metadata: { name } }) => {
      return `${kind} ${['ConfigMap', 'Job'].includes(kind) ? name.replace(/-[a-z0-9]{10}$|-1$/, '') : name}`;
    });
    expect(kinds.sort()).toEqual([
      'ConfigMap plumbline',
      'Deployment plumbline-api',
      'Deployment plumbline-ingest',
      'Deployment plumbline-notify',
      'HorizontalPodAutoscaler plumbline-api',
      'HorizontalPodAutoscaler plumbline-ingest',
      'Ingress plumbline',
      'Job plumbline-migrate',
      'NetworkPolicy plumbline',
      'NetworkPolicy plumbline-notify',
      'PodDisruptionBudget plumbline-api',
      'PodDisruptionBudget plumbline-detect',
      'PodDisruptionBudget plumbline-ingest',
      'PodDisruptionBudget plumbline-notify',
      'Service plumbline',
      'Service plumbline-detect',
      'Service plumbline-ingest',
      'Service plumbline-management',
      'ServiceMonitor plumbline',
      'StatefulSet plumbline-detect',
    ]);
  });

  it('conforms to the published schemas', () => {
    const published = manifests.filter((each) => !isOperators(each));
    expect(published.flatMap(schemaProblems)).toEqual([]);
    expect(unknownFields(published)).toEqual([]);
  });

  it.each(ROLES)('runs the role %s in separate pods, confined like those of the base', async (role) => {
    const pod = podOf(manifests, kindOfRole(role), `plumbline-${role}`);
    const [{ env, ...container }] = pod.spec.containers;
    expect(env).toContainEqual({ name: 'PLUMBLINE_ROLES', value: role });
    const base = podOf(await render('base'), 'Deployment', 'plumbline').spec;
    const [{ securityContext, lifecycle, volumeMounts, ports }] = base.containers;
    expect(container).toMatchObject({ securityContext, lifecycle, volumeMounts, ports });
    expect(container.resources.limits.memory).toBe(container.resources.requests.memory);
    const { terminationGracePeriodSeconds, volumes } = base;
    // preStop, then the longest request body, then saving and closing (detection.service.ts gives up after 15 s).
    const [, drainSeconds] = lifecycle.preStop.exec.command;
    const least = Number(drainSeconds) + new IngestConfig().bodySeconds + CLOSING_SECONDS;
    expect(terminationGracePeriodSeconds).toBeGreaterThanOrEqual(least);
    expect(pod.spec).toMatchObject({
      automountServiceAccountToken: false,
      ...{ terminationGracePeriodSeconds, volumes, securityContext: base.securityContext },
    });
    const { selector } = manifest(manifests, kindOfRole(role), `plumbline-${role}`).spec as {
      selector: { matchLabels: object };
    };
    expect(pod.metadata.labels).toMatchObject(selector.matchLabels);
    expect(manifest(manifests, 'PodDisruptionBudget', `plumbline-${role}`).spec).toMatchObject({ selector });
  });

  it('routes ingest paths to the role ingest, and all others to the role api', () => {
    expect(backendsOf(manifests)).toEqual({
      ...Object.fromEntries(INGEST_PATHS.map((path) => [path.replace('/*path', ''), 'plumbline-ingest'])),
      '/': 'plumbline',
    });
    for (const [service, role] of [
      ['plumbline', 'api'],
      ['plumbline-ingest', 'ingest'],
    ] as const) {
      const { selector } = manifest(manifests, 'Service', service).spec as { selector: object };
      expect(podOf(manifests, 'Deployment', `plumbline-${role}`).metadata.labels).toMatchObject(selector);
    }
  });

  it('leaves the number of api and ingest pods to the autoscaler', () => {
    for (const role of ['api', 'ingest']) {
      expect(manifest(manifests, 'Deployment', `plumbline-${role}`).spec).not.toHaveProperty('replicas');
      expect(manifest(manifests, 'HorizontalPodAutoscaler', `plumbline-${role}`).spec).toMatchObject({
        scaleTargetRef: { kind: 'Deployment', name: `plumbline-${role}` },
        minReplicas: 2,
      });
    }
  });

  it('lets Prometheus scrape every process', () => {
    const { selector, endpoints } = manifest(manifests, 'ServiceMonitor', 'plumbline').spec as {
      selector: { matchLabels: object };
      endpoints: { port: string; path: string }[];
    };
    expect(manifest(manifests, 'Service', 'plumbline-management').metadata).toMatchObject({
      labels: selector.matchLabels,
    });
    expect(endpoints).toEqual([expect.objectContaining({ port: 'management', path: '/metrics' })]);
    const { selector: pods } = manifest(manifests, 'Service', 'plumbline-management').spec as { selector: object };
    for (const role of ROLES) {
      expect(podOf(manifests, kindOfRole(role), `plumbline-${role}`).metadata.labels).toMatchObject(pods);
    }
  });
});

describe('deploy/helm/plumbline', () => {
  let folder: string;
  let program: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plumbline-test-chart-'));
    program = await buildChartRenderer(folder);
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('runs the same pods as deploy/kustomize/base by default', async () => {
    const [chart, base] = [await renderChart(program), await render('base')];
    expect(chart.flatMap(schemaProblems)).toEqual([]);
    expect(unknownFields(chart)).toEqual([]);
    for (const [kind, here, there] of [
      ['Deployment', 'plumbline', 'plumbline'],
      ['Job', 'plumbline-migrate-1', 'plumbline-migrate'],
    ] as const) {
      const { spec } = podOf(chart, kind, here);
      const { spec: expected } = podOf(base, kind, there);
      const comparable = ({ containers, ...rest }: typeof spec) => {
        const [{ image: _, imagePullPolicy: __, envFrom: ___, ...container }] = containers as object[] as [
          { image: string; imagePullPolicy?: string; envFrom?: object },
        ];
        return { ...rest, container };
      };
      expect(comparable(spec)).toEqual(comparable(expected));
    }
    expect(settingsOfPods(chart)).toEqual(settingsOfPods(base));
    for (const name of ['NetworkPolicy', 'PodDisruptionBudget'] as const) {
      const {
        podSelector: _,
        selector: __,
        ...rules
      } = chart.find(({ kind }) => kind === name)!.spec as {
        podSelector?: object;
        selector?: object;
      };
      expect(base.find(({ kind }) => kind === name)!.spec).toMatchObject(rules);
    }
  });

  it('rejects an unknown mode, and lists the known ones', async () => {
    await writeFile(join(folder, 'wrong.yaml'), 'mode: large\n');
    await expect(renderChart(program, join(folder, 'wrong.yaml'))).rejects.toThrow(
      'mode is single or scaled, not large',
    );
  });

  it('has the version of the product', async () => {
    const chart = await readFile(join(ROOT, 'deploy/helm/plumbline/Chart.yaml'), 'utf8');
    expect(chart).toContain(`\nversion: ${productVersion()}\nappVersion: ${productVersion()}\n`);
  });
});

describe('the image', () => {
  it('runs as the user, with the ports and the data folder that the deployment expects', async () => {
    const { spec } = podOf(await render('base'), 'Deployment', 'plumbline');
    const { runAsUser } = spec.securityContext;
    // A number, because Kubernetes cannot tell whether a user name is root.
    expect(dockerfile).toMatch(new RegExp(`^USER ${String(runAsUser)}:${String(runAsUser)}$`, 'm'));
    const exposed = /^EXPOSE (.+)$/m.exec(dockerfile)?.[1]?.split(' ').map(Number) ?? [];
    expect(exposed).toEqual(expect.arrayContaining(spec.containers[0].ports.map(({ containerPort }) => containerPort)));
    expect(dockerfile).toContain('PLUMBLINE_DATA=/data');
    expect(dockerfile).toMatch(/^HEALTHCHECK /m);
  });

  it('contains console and documents, and lists its packages before the development packages are pruned', () => {
    const build = dockerfile.replaceAll('\\\n', ' ');
    expect(build).toMatch(
      /npm run build && npm run build:console && npm run build:docs .* npm run --silent sbom > sbom\.json.*npm prune --omit=dev/,
    );
    expect(build).toMatch(/^COPY --from=build \/app\/dist \.\/dist$/m);
  });
});

describe('the check of the manifests', () => {
  it('reports a misspelt field, and a value that the schema does not allow', () => {
    const service: Manifest = {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'wrong' },
      spec: { selektor: {}, ports: [{ port: 80 }] },
    };
    expect(unknownFields([service])).toEqual([expect.stringMatching(/"selektor"' does not exist/)]);
    const wrong = { ...service, spec: { ports: [{ port: 'eighty' }] } };
    expect(schemaProblems(wrong)).toEqual([expect.stringContaining('/ports/0/port must be integer')]);
  });
});
