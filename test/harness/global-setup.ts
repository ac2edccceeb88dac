import { once } from 'node:events';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { openEmbedded } from '../../src/platform/embedded/embedded.ts';
import { connect } from '../../src/platform/postgres/connect.ts';
import { migrate } from '../../src/platform/postgres/migrate.ts';
import { shareWith } from '../../src/platform/postgres/roles.ts';
import { distributedNodes, distributedTemplate } from './distributed.ts';
import {
  cleanRun,
  deadRuns,
  openDatabaseFolder,
  openRunFolder,
  startReaper,
} from './run-folder.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    superuserUrl: string;
    serviceUrl: string;
    ownerUrl: string;
    /** Template of test databases on a distributed cluster; null on a single server. */
    distributedTemplate: string | null;
  }
}

const migrations = path.join(import.meta.dirname, '../../migrations');

function withDatabase(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.href;
}

/** Starts one server for the whole run. It is not durable, since its data ends with the run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await Promise.all((await deadRuns()).map(cleanRun));
  const run = await openRunFolder();
  const reaper = startReaper(run.path);
  const dataDir = path.join(await openDatabaseFolder(run.path), 'server');
  const embedded = await openEmbedded({
    dataDir,
    log: () => {},
    extraSettings: {
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      max_connections: String(Math.max(200, 40 * project.config.maxWorkers)),
      autovacuum_naptime: '10min',
    },
  });
  const admin = connect(embedded.superuserUrl, { max: 1, applicationName: 'test setup' });
  await admin.unsafe('create database recaudo_template owner recaudo_owner');
  await admin.end();
  const url = withDatabase(embedded.ownerUrl, 'recaudo_template');
  const template = connect(url, { max: 2, applicationName: 'test setup' });
  await migrate(template, migrations, Temporal.Instant.from('2026-11-21T12:00:00Z'));
  await shareWith(template, new URL(embedded.url).username);
  await template.end();
  project.provide('superuserUrl', embedded.superuserUrl);
  project.provide('serviceUrl', embedded.url);
  project.provide('ownerUrl', embedded.ownerUrl);
  const isDistributed = distributedNodes().length > 0;
  project.provide('distributedTemplate', isDistributed ? await distributedTemplate() : null);

  return async () => {
    await embedded.close();
    run.letGo();
    const reaped = once(reaper, 'exit');
    reaper.stdin?.end();
    await reaped;
  };
}
