import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROLES } from '../../apps/server/src/common/config/server.config.js';
import { settingsOf } from '../../apps/server/src/common/config/setting.decorator.js';
import { INGEST_PATHS } from '../../apps/server/src/common/http/api-paths.js';
import { CONFIG_CLASSES } from '../../apps/server/src/config.registry.js';
import {
  type Manifest,
  manifest,
  podOf,
  render,
  schemaProblems,
  settingsOfPods,
  unknownFields,
} from '../support/manifests.js';

const ROOT = join(import.meta.dirname, '../..');

const dockerfile = await readFile(join(ROOT, 'Dockerfile'), 'utf8');

describe.each(['base', 'example'])('deploy/kustomize/%s', (folder) => {
  let manifests: Manifest[];

  beforeAll(async () => {
    manifests = await render(folder);
  });

  it('has every part', () => {
    const kinds = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(kinds.sort()).toEqual([
      // With the hash of its content.
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
  ])('confines the pods of the %s as the profile "restricted" asks, and more', (kind, name) => {
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
    // What can be written to is bounded and lost with the pod.
    expect(container.volumeMounts.map(({ mountPath }) => mountPath)).toEqual(['/data', '/tmp']);
    expect(spec.volumes.map(({ emptyDir }) => emptyDir)).toEqual([{ sizeLimit: '64Mi' }, { sizeLimit: '64Mi' }]);
  });

  it('does not start without the address of the database and the secret key', () => {
    const [{ env }] = podOf(manifests, 'Deployment', 'plumbline').spec.containers;
    expect(env.map(({ name, valueFrom }) => [name, valueFrom.secretKeyRef.optional ?? false])).toEqual([
      ['DATABASE_URL', false],
      ['PLUMBLINE_SECRET_KEY', false],
    ]);
  });

  it('leads services, the budget and policies to the pods that are there', () => {
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

  it('sets only what is a setting', () => {
    const known = CONFIG_CLASSES.flatMap((configClass) => settingsOf(configClass).map(({ env }) => env));
    expect(known).toEqual(expect.arrayContaining(Object.keys(settingsOfPods(manifests))));
  });
});

const PARTS = [
  ['Deployment', 'api'],
  ['Deployment', 'ingest'],
  ['StatefulSet', 'detect'],
  ['Deployment', 'notify'],
] as const;

describe('the overlay of deploy/kustomize/scaled', () => {
  let manifests: Manifest[];

  beforeAll(async () => {
    manifests = await render('scaled');
  });

  it('has a kind of process for each role, and every part of it', () => {
    const kinds = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(kinds.sort()).toEqual([
      expect.stringMatching(/^ConfigMap plumbline-[a-z0-9]{10}$/),
      ...['api', 'ingest', 'notify'].map((part) => `Deployment plumbline-${part}`),
      ...['api', 'ingest'].map((part) => `HorizontalPodAutoscaler plumbline-${part}`),
      'Ingress plumbline',
      'Job plumbline-migrate',
      'NetworkPolicy plumbline',
      'NetworkPolicy plumbline-notify',
      ...['api', 'detect', 'ingest', 'notify'].map((part) => `PodDisruptionBudget plumbline-${part}`),
      ...['api', 'detect', 'ingest', 'management'].map((part) => `Service plumbline-${part}`),
      'ServiceMonitor plumbline',
      'StatefulSet plumbline-detect',
    ]);
    expect(PARTS.map(([, part]) => part).sort()).toEqual([...ROLES].sort());
  });

  it('conforms to the published schemas', () => {
    // The monitor is of the Prometheus operator, whose schema is not among them.
    const known = manifests.filter(({ kind }) => kind !== 'ServiceMonitor');
    expect(known.flatMap(schemaProblems)).toEqual([]);
    expect(unknownFields(known)).toEqual([]);
  });

  it.each(PARTS)('%s plumbline-%s: its role, its secrets by reference, its labels, spread over nodes', (kind, part) => {
    const { spec, metadata } = podOf(manifests, kind, `plumbline-${part}`);
    const [{ env, securityContext, resources }] = spec.containers;
    expect(env.map(({ name, value }) => [name, value])).toEqual([
      ['DATABASE_URL', undefined],
      ['PLUMBLINE_SECRET_KEY', undefined],
      ['PLUMBLINE_ROLES', part],
    ]);
    expect(env.slice(0, 2).every(({ valueFrom }) => valueFrom.secretKeyRef.name === 'plumbline')).toBe(true);
    expect(securityContext).toMatchObject({ readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } });
    expect(resources.limits.memory).toBe(resources.requests.memory);
    const labels = { 'app.kubernetes.io/name': 'plumbline', 'app.kubernetes.io/component': part };
    expect(metadata.labels).toEqual(labels);
    const whole = manifest(manifests, kind, `plumbline-${part}`).spec;
    expect(whole).toMatchObject({ selector: { matchLabels: labels } });
    expect(manifest(manifests, 'PodDisruptionBudget', `plumbline-${part}`).spec).toMatchObject({
      selector: { matchLabels: labels },
    });
    const spread = (topologyKey: string) =>
      expect.objectContaining({ topologyKey, labelSelector: { matchLabels: labels } });
    expect(spec).toMatchObject({
      topologySpreadConstraints: [spread('kubernetes.io/hostname'), spread('topology.kubernetes.io/zone')],
    });
  });

  it('leaves the number of pods to the autoscalers, where there is one', () => {
    for (const part of ['api', 'ingest']) {
      expect(manifest(manifests, 'Deployment', `plumbline-${part}`).spec).not.toHaveProperty('replicas');
      expect(manifest(manifests, 'HorizontalPodAutoscaler', `plumbline-${part}`).spec).toMatchObject({
        scaleTargetRef: { kind: 'Deployment', name: `plumbline-${part}` },
      });
    }
  });

  it('leads every path of senders to ingest, and all else to the API', () => {
    const { rules } = manifest(manifests, 'Ingress', 'plumbline').spec as {
      rules: [{ http: { paths: { path: string; pathType: string; backend: { service: { name: string } } }[] } }];
    };
    const { paths } = rules[0].http;
    const ofIngest = paths.filter(({ backend }) => backend.service.name === 'plumbline-ingest');
    expect(ofIngest.map(({ path, pathType }) => (pathType === 'Prefix' ? `${path}/*path` : path)).sort()).toEqual(
      [...INGEST_PATHS, '/api/ingest/*path'].sort(),
    );
    expect(paths.filter((path) => !ofIngest.includes(path))).toMatchObject([
      { path: '/', pathType: 'Prefix', backend: { service: { name: 'plumbline-api' } } },
    ]);
  });

  it('is scraped under the job that the alert rules name', () => {
    expect(manifest(manifests, 'ServiceMonitor', 'plumbline').spec).toMatchObject({
      jobLabel: 'app.kubernetes.io/name',
      selector: { matchLabels: { 'app.kubernetes.io/component': 'management' } },
      endpoints: [{ port: 'management', path: '/metrics' }],
    });
    const service = manifest(manifests, 'Service', 'plumbline-management');
    expect(service.metadata).toMatchObject({
      labels: { 'app.kubernetes.io/name': 'plumbline', 'app.kubernetes.io/component': 'management' },
    });
    expect(service.spec).toMatchObject({ selector: { 'app.kubernetes.io/name': 'plumbline' } });
  });
});

describe('the overlay of deploy/kustomize/example', () => {
  it('has its own image, namespace, host name and settings', async () => {
    const manifests = await render('example');
    expect(manifests.map(({ metadata }) => metadata.namespace)).toEqual(manifests.map(() => 'plumbline'));
    for (const [kind, name] of [
      ['Deployment', 'plumbline'],
      ['Job', 'plumbline-migrate'],
    ] as const) {
      const [{ image }] = podOf(manifests, kind, name).spec.containers;
      expect(image).toBe('registry.example.org/plumbline:0.1.0');
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

describe('the image', () => {
  it('runs as the user, with the ports and the folder that the deployment expects', async () => {
    const { spec } = podOf(await render('base'), 'Deployment', 'plumbline');
    const { runAsUser } = spec.securityContext;
    // By number: of a name Kubernetes cannot tell whether it is root.
    expect(dockerfile).toMatch(new RegExp(`^USER ${String(runAsUser)}:${String(runAsUser)}$`, 'm'));
    const exposed = /^EXPOSE (.+)$/m.exec(dockerfile)?.[1]?.split(' ').map(Number) ?? [];
    expect(exposed).toEqual(expect.arrayContaining(spec.containers[0].ports.map(({ containerPort }) => containerPort)));
    expect(dockerfile).toContain('PLUMBLINE_DATA=/data');
    expect(dockerfile).toMatch(/^HEALTHCHECK /m);
  });

  it('has the console, and lists its packages before those for development go', () => {
    const build = dockerfile.replaceAll('\\\n', ' ');
    expect(build).toMatch(
      /npm run build && npm run build:console.* npm run --silent sbom > sbom\.json.*npm prune --omit=dev/,
    );
    expect(build).toMatch(/^COPY --from=build \/app\/dist \.\/dist$/m);
  });
});

describe('the check of the manifests', () => {
  it('finds a field that is misspelt, and a value that its schema does not allow', () => {
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
