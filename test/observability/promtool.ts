import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { packageRoot } from '../../src/package-root.ts';
import { runProgram } from '../harness/programs.ts';
import { halfMinutes, inputSeries, type Provocation } from './samples.ts';

export const folder = path.join(packageRoot(), 'deploy/observability');
export const rulesFile = path.join(folder, 'alerts.yml');

export const readRules = (): Promise<string> => readFile(rulesFile, 'utf8');

/** Returns the metric names in PromQL expressions, without functions, labels and keywords. */
export const metricsIn = (text: string): Set<string> =>
  new Set(text.match(/\b(?:recaudo|nodejs|process)_\w+\b/g) ?? []);

/** Checks a file of rules with promtool. Returns its complaints, or an empty text. */
export async function checkRules(file: string): Promise<string> {
  const { status, output } = await runProgram('promtool', ['check', 'rules', file], {
    cwd: folder,
  });
  return status === 0 ? '' : output;
}

const firing = (alert: string, at: number, expected: boolean) => ({
  expr: `group by (alertname) (ALERTS{alertstate="firing",alertname="${alert}"})`,
  eval_time: `${at}m`,
  exp_samples: expected ? [{ labels: `{alertname="${alert}"}`, value: 1 }] : [],
});

/**
 * Evaluates the rules over scraped samples, minute by minute. Returns promtool's complaints: alerts
 * that fire before they are provoked, or not afterwards.
 */
export async function tryAlerts(provocations: readonly Provocation[]): Promise<string> {
  const rules = (await readRules()).split('- alert: ');
  const ruleOf = (alert: string) => rules.find((rule) => rule.startsWith(`${alert}\n`)) ?? '';
  const tests = provocations.map((provocation) => ({
    name: provocation.alert,
    interval: '1m',
    input_series: inputSeries(provocation, metricsIn(ruleOf(provocation.alert))),
    promql_expr_test: [
      firing(provocation.alert, halfMinutes - 1, false),
      firing(provocation.alert, 2 * halfMinutes - 1, true),
    ],
  }));
  await using temporary = await mkdtempDisposable(path.join(tmpdir(), 'recaudo-rules-'));
  const file = path.join(temporary.path, 'tests.yml');
  // JSON is YAML.
  await writeFile(
    file,
    JSON.stringify({ rule_files: [rulesFile], evaluation_interval: '2m', tests }),
  );
  const { status, output } = await runProgram('promtool', ['test', 'rules', file], { cwd: folder });
  return status === 0 ? '' : output;
}

/**
 * Returns promtool's complaint if an alert fires while the service keeps exporting the same scrape,
 * or an empty text.
 */
export async function firingOver({ text, at }: Provocation['after']): Promise<string> {
  const wanted = metricsIn(await readRules());
  const scrape = { text, at };
  const input_series = inputSeries({ alert: '', before: scrape, after: scrape }, wanted);
  const expr = 'group by (alertname) (ALERTS{alertstate="firing"})';
  const tests = [
    {
      interval: '1m',
      input_series,
      promql_expr_test: [{ expr, eval_time: '199m', exp_samples: [] }],
    },
  ];
  await using temporary = await mkdtempDisposable(path.join(tmpdir(), 'recaudo-rules-'));
  const file = path.join(temporary.path, 'tests.yml');
  await writeFile(
    file,
    JSON.stringify({ rule_files: [rulesFile], evaluation_interval: '2m', tests }),
  );
  const { status, output } = await runProgram('promtool', ['test', 'rules', file], { cwd: folder });
  return status === 0 ? '' : output;
}
