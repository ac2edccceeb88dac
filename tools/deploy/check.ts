/**
 * Checks Dockerfile and deploy/ for valid formats and against this release: version, configuration
 * variables, and stop timeout. `.ci/tools deploy` installs the tools for it.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Ajv2019 } from 'ajv/dist/2019.js';
import addFormats from 'ajv-formats';
import { validate } from 'dockerfile-utils';
import { parse, parseAllDocuments } from 'yaml';

const root = path.resolve(process.argv[2] ?? path.join(import.meta.dirname, '../..'));
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const faults: string[] = [];

function expect(isTrue: boolean, fault: string): void {
  if (!isTrue) faults.push(fault);
}

const { version } = JSON.parse(read('package.json')) as { version: string };
const known = new Set(read('docs/reference/configuration.md').match(/(?<=^\| `)[A-Z0-9_]+/gm));

/**
 * Seconds that a process needs to stop, in addition to `DRAIN_SECONDS`:
 * docs/how-to/start-and-watch.md.
 */
const stopSeconds = 25;

const checkVariables = (names: string[], where: string): void =>
  expect(
    names.every((name) => known.has(name)),
    `${where}: no such variables: ${names.filter((name) => !known.has(name))}`,
  );

function checkDockerfile(): void {
  const text = read('Dockerfile');
  for (const { range, message } of validate(text))
    faults.push(`Dockerfile:${range.start.line + 1}: ${message}`);
  const final = text.slice(text.lastIndexOf('\nFROM '));
  expect(/^USER (?!root|0)/m.test(final), 'Dockerfile: the service runs as root');
  expect(/^HEALTHCHECK /m.test(final), 'Dockerfile: no HEALTHCHECK');
  checkVariables(final.match(/(?<=^ENV .*)\b[A-Z_]+(?==)/gm) ?? [], 'Dockerfile');
}

interface Compose {
  services: Record<
    string,
    {
      image: string;
      read_only?: boolean;
      cap_drop?: string[];
      stop_grace_period?: string;
      environment?: Record<string, string>;
    }
  >;
}

function checkCompose(): void {
  const where = 'deploy/compose/compose.yaml';
  const compose = parse(read(where), { merge: true }) as Compose;
  const ajv = new Ajv2019({ strict: false, allErrors: true });
  addFormats.default(ajv);
  const schema = readFileSync(path.join(import.meta.dirname, 'compose-spec.json'), 'utf8');
  const isValid = ajv.compile({ ...JSON.parse(schema), $schema: undefined });
  if (!isValid(compose)) faults.push(`${where}: ${ajv.errorsText(isValid.errors)}`);
  for (const [name, service] of Object.entries(compose.services)) {
    expect(/:[\w.]+$/.test(service.image), `${where}: ${name} has an image without a version`);
    if (!service.image.startsWith('recaudo:')) continue;
    expect(service.image === `recaudo:${version}`, `${where}: ${name} is not of ${version}`);
    const isBound = service.read_only === true && service.cap_drop?.[0] === 'ALL';
    expect(isBound, `${where}: ${name} may write to its root, or has capabilities`);
    const { DRAIN_SECONDS, ...environment } = service.environment ?? {};
    const needed = Number(DRAIN_SECONDS) + stopSeconds;
    expect(
      Number.parseInt(service.stop_grace_period ?? '', 10) >= needed,
      `${where}: ${name} needs ${needed} s to stop`,
    );
    checkVariables(Object.keys(environment), `${where}: ${name}`);
  }
}

interface Kubernetes {
  apiVersion: string;
  kind: string;
  resources?: string[];
  images?: { newTag: string }[];
  configMapGenerator?: { literals: string[] }[];
  // biome-ignore lint/suspicious/noExplicitAny: the shape depends on the kind, which its schema checks
  spec?: any;
}

async function checkKubernetes(): Promise<void> {
  const folder = 'deploy/kubernetes';
  const [kustomization] = parseAllDocuments(read(`${folder}/kustomization.yaml`)).map(
    (one) => one.toJS() as Kubernetes,
  );
  const files = readdirSync(path.join(root, folder)).filter((file) => file.endsWith('.yaml'));
  const listed = kustomization?.resources ?? [];
  const others = files.filter((file) => file !== 'kustomization.yaml').toSorted();
  expect(`${others}` === `${listed.toSorted()}`, `${folder}: kustomization.yaml lists other files`);
  expect(kustomization?.images?.[0]?.newTag === version, `${folder}: another release`);
  const literals = kustomization?.configMapGenerator?.[0]?.literals ?? [];
  const settings = Object.fromEntries(literals.map((one) => one.split(/=(.*)/s)));
  checkVariables(Object.keys(settings), folder);
  const needed = Number(settings.DRAIN_SECONDS) + stopSeconds;
  for (const file of listed) {
    for (const document of parseAllDocuments(read(`${folder}/${file}`))) {
      for (const fault of document.errors) faults.push(`${folder}/${file}: ${fault.message}`);
      const resource = document.toJS() as Kubernetes;
      const group = resource.apiVersion === 'v1' ? 'v1' : resource.apiVersion;
      const models = await import(`kubernetes-models/${group}/${resource.kind}`);
      try {
        new models[resource.kind](resource).validate();
      } catch (error) {
        faults.push(`${folder}/${file}: ${resource.kind}: ${(error as Error).message}`);
      }
      const pod = resource.spec?.jobTemplate?.spec.template.spec ?? resource.spec?.template?.spec;
      if (!pod) continue;
      for (const one of [...(pod.initContainers ?? []), ...pod.containers]) {
        const { readOnlyRootFilesystem, capabilities } = one.securityContext ?? {};
        const isBound = readOnlyRootFilesystem === true && capabilities?.drop?.[0] === 'ALL';
        expect(isBound, `${file}: ${one.name} may write to its root, or has capabilities`);
      }
      if (resource.kind !== 'Deployment') continue;
      const migrates = pod.initContainers?.[0]?.args?.[0] === 'migrate';
      const { maxUnavailable } = resource.spec.strategy.rollingUpdate;
      expect(migrates && maxUnavailable === 0, `${file}: a failed migration stops no rollout`);
      const isPatient = pod.terminationGracePeriodSeconds >= needed;
      expect(isPatient, `${file}: a pod needs ${needed} s to stop`);
    }
  }
}

/**
 * Checks that no unit stops while another one migrates, or stays down if that fails: a running
 * release works with the older schema, and one that does not refuses to start.
 */
function checkUpgrade(): void {
  for (const name of readdirSync(path.join(root, 'deploy/systemd'), { recursive: true })) {
    if (!/\.(service|conf)$/.test(`${name}`)) continue;
    const binds = /^(?:Requires|Requisite|BindsTo|PartOf)=.*recaudo-migrate/m;
    const file = `deploy/systemd/${name}`;
    expect(!binds.test(read(file)), `${file}: stops while recaudo-migrate.service restarts`);
  }
}

const settingOf = (unit: string, name: string): string | null =>
  new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? null;

/** Checks that systemd restarts a unit for as long as the database is away. */
function checkRestarts(): void {
  const folder = 'deploy/systemd';
  const common = read(`${folder}/recaudo-.service.d/10-common.conf`);
  for (const name of readdirSync(path.join(root, folder)).filter((one) => /service$/.test(one))) {
    const unit = read(`${folder}/${name}`);
    if (settingOf(unit, 'Restart') === null) continue;
    const limit =
      settingOf(unit, 'StartLimitIntervalSec') ?? settingOf(common, 'StartLimitIntervalSec');
    expect(limit === '0', `${folder}/${name}: systemd gives up after a few failed starts`);
  }
}

/** Checks that an ingress accepts the largest document of a bulk import. */
function checkIngress(): void {
  const where = 'deploy/kubernetes/ingress.yaml';
  const [, mebibytes] =
    /largestDocument = (\d+) \* 1024 \* 1024/.exec(read('src/qr/imports/batch.ts')) ?? [];
  const { metadata } = parse(read(where)) as { metadata: { annotations?: Record<string, string> } };
  const size = metadata.annotations?.['nginx.ingress.kubernetes.io/proxy-body-size'];
  expect(size === `${mebibytes}m`, `${where}: bodies may have ${size}, but must ${mebibytes}m`);
}

/** Checks with systemd that the units are valid and have few privileges. */
function checkSystemd(): void {
  if (spawnSync('systemd-analyze', ['--version']).status !== 0) {
    process.stdout.write('systemd: NOT CHECKED, systemd-analyze is missing\n');
    return;
  }
  const scratch = mkdtempSync(path.join(tmpdir(), 'recaudo-units-'));
  try {
    const units = path.join(scratch, 'etc/systemd/system');
    cpSync(path.join(root, 'deploy/systemd'), units, { recursive: true });
    for (const name of readdirSync(units).filter((one) => one.endsWith('.service'))) {
      const ran = spawnSync(
        'systemd-analyze',
        ['security', '--offline=true', '--threshold=15', `--root=${scratch}`, name],
        { encoding: 'utf8' },
      );
      const said = ran.stderr || ran.stdout.trim().split('\n').at(-1);
      expect(ran.status === 0, `deploy/systemd/${name}: ${said}`);
    }
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

checkDockerfile();
checkCompose();
await checkKubernetes();
checkUpgrade();
checkRestarts();
checkIngress();
checkSystemd();
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.stdout.write(faults.length > 0 ? 'deploy: FAILED\n' : 'deploy: fine\n');
process.exitCode = faults.length > 0 ? 1 : 0;
