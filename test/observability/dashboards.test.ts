import { mkdtempDisposable, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packageRoot } from '../../src/package-root.ts';
import { type Played, playConnector } from '../connectors/played.ts';
import { testWith } from '../harness/programs.ts';
import { startService, type TestService } from '../harness/service.ts';
import { playerOf, withoutWorker } from '../scenarios/play.ts';
import { checkRules, folder, metricsIn, readRules } from './promtool.ts';
import { nameOf, samplesOf } from './samples.ts';

const boards = path.join(folder, 'dashboards');

interface Board {
  uid: string;
  title: string;
  panels: { id: number; title: string; targets: { expr: string; legendFormat: string }[] }[];
}

const readBoards = async (): Promise<Board[]> =>
  await Promise.all(
    (await readdir(boards)).map(async (name) =>
      JSON.parse(await readFile(path.join(boards, name), 'utf8')),
    ),
  );

/** Returns an expression as Prometheus receives it, with Grafana's variables replaced. */
const replaced = (expr: string): string =>
  expr.replaceAll('$instance', '.*').replaceAll('$__rate_interval', '5m');

const expressions = async (): Promise<string[]> =>
  (await readBoards()).flatMap(({ panels }) =>
    panels.flatMap(({ targets }) => targets.map(({ expr }) => replaced(expr))),
  );

let service: TestService;
let bank: Played;
let exported: string;
beforeAll(async () => {
  bank = await playConnector('bank', ['DEBIN']);
  service = await startService({
    ...withoutWorker,
    CONNECTORS: JSON.stringify([bank.configured()]),
  });
  const player = playerOf(service);
  await player.pay(await player.create(), { channel: 'DEBIN' });
  await player.move({ days: 30 });
  exported = await (await fetch(service.service.metricsUrl)).text();
});
afterAll(async () => {
  await service?.stop();
  await bank?.stop();
});

/** Labels declared in code that no sample shows yet. */
const declared: Record<string, string[]> = {
  recaudo_audit_last_seconds: ['outcome'],
  recaudo_sweep_last_run_seconds: ['sweep'],
  recaudo_sweep_last_failure_seconds: ['sweep'],
  recaudo_sweep_failures_total: ['sweep'],
  recaudo_webhook_deliveries_total: ['outcome'],
  recaudo_backup_last_seconds: ['what', 'outcome'],
  recaudo_connector_alarms_total: ['connector', 'kind'],
  recaudo_reads_total: ['side', 'why'],
};
/** Labels that Prometheus adds. */
const added = ['job', 'instance', 'alertname', 'alertstate'];

function labelsOf(): Map<string, Set<string>> {
  const labels = new Map<string, Set<string>>();
  const note = (name: string, found: Iterable<string>) =>
    void labels.set(name, (labels.get(name) ?? new Set()).union(new Set(found)));
  for (const [, name = ''] of exported.matchAll(/^# TYPE (\S+)/gm))
    note(name, declared[name] ?? []);
  for (const { series } of samplesOf(exported)) {
    note(
      nameOf(series),
      [...series.matchAll(/[{,](\w+)="/g)].map(([, label = '']) => label),
    );
  }
  return labels;
}

/** Returns the metrics of an expression, with the labels that select their series. */
const selectors = (expr: string): [name: string, labels: string[]][] =>
  [...expr.matchAll(/\b((?:recaudo|nodejs|process)_\w+)(?:\{([^}]*)\})?/g)].map(
    ([, name = '', inside = '']) => [
      name,
      [...inside.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => label),
    ],
  );

const grouped = (expr: string): string[] =>
  [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, names = '']) => names.split(/,\s*/));

describe('dashboards and rules', () => {
  test('uses only metrics and labels that the service exports', async () => {
    const labels = labelsOf();
    const all = [...(await expressions()), ...(await readRules()).split('- alert:')];
    for (const expr of all) {
      const known = new Set([...added, 'le']);
      for (const [name, used] of selectors(expr)) {
        expect([...labels.keys()], expr).toContain(name);
        const own = [...(labels.get(name) ?? []), ...added];
        expect(own, `${name} in ${expr}`).toEqual(expect.arrayContaining(used));
        for (const label of own) known.add(label);
      }
      expect([...known], expr).toEqual(expect.arrayContaining(grouped(expr)));
    }
  });

  test('uses in legends only labels that their expressions keep', async () => {
    for (const { panels } of await readBoards()) {
      for (const { targets } of panels) {
        for (const { expr, legendFormat } of targets) {
          const shown = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label);
          const kept = expr.includes(' by (') ? grouped(expr) : ['instance'];
          expect(kept, expr).toEqual(expect.arrayContaining(shown));
        }
      }
    }
  });

  test('documents each metric of the service', async () => {
    const page = await readFile(path.join(packageRoot(), 'docs/reference/metrics.md'), 'utf8');
    const names = [...exported.matchAll(/^# TYPE (recaudo_\S+)/gm)].map(([, name]) => name);
    expect([...metricsIn(page)]).toEqual(expect.arrayContaining(names));
  });

  test('gives each dashboard, and each of its panels, a unique id', async () => {
    const all = await readBoards();
    expect(new Set(all.map(({ uid }) => uid)).size).toBe(all.length);
    for (const { panels } of all) {
      expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    }
  });

  test('gives each alert a severity and a section of a runbook', async () => {
    const [, ...alerts] = (await readRules()).split('- alert:');
    for (const rule of alerts) {
      const name = /^ (\w+)/.exec(rule)?.[1] ?? '';
      expect(rule).toMatch(/severity: (?:critical|warning|info)/);
      const url = /runbook_url: (\S+)#(\S+)/.exec(rule);
      expect(url?.[2]).toBe(name.toLowerCase());
      const page = await readFile(path.join(packageRoot(), url?.[1] ?? ''), 'utf8');
      const [, section = ''] = page.split(`\n## ${name}\n`);
      for (const part of ['**Means**', '**Look at**', '**Do**'])
        expect(section, name).toContain(part);
    }
  });
});

testWith('promtool')('passes promtool’s check of the expressions in dashboards', async () => {
  await using temporary = await mkdtempDisposable(path.join(tmpdir(), 'recaudo-boards-'));
  const file = path.join(temporary.path, 'rules.yml');
  const rules = (await expressions()).map((expr, index) => ({ record: `board:${index}`, expr }));
  await writeFile(file, JSON.stringify({ groups: [{ name: 'boards', rules }] }));
  expect(await checkRules(file)).toBe('');
});
