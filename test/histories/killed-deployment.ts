import { existsSync } from 'node:fs';
import path from 'node:path';
import { createBase } from '../../src/composition/base.ts';
import { readConfig } from '../../src/config.ts';
import { openDatabase } from '../../src/database.ts';
import { createLog } from '../../src/platform/log.ts';
import { type Serving, startServing } from '../cli/run.ts';
import { killServer, serverPid, temporaryDirectory } from '../platform/postgres/embedded-tools.ts';
import { type Deployment, type Sent, sendTo } from './deployment.ts';
import { deskOf } from './desk.ts';
import type { Random } from './random.ts';

export interface Kills {
  service: number;
  database: number;
}

/** A process that is killed and started again. */
interface Post {
  serving: Serving | null;
  /** The start that is under way. */
  starting: Promise<void>;
}

const log = createLog('silent');

/**
 * Two processes with an embedded database, as `recaudo serve` starts them. Now and then one of them
 * or the database is killed, with -9, somewhere in the next steps; operators' commands work beside
 * them and find or start the database by themselves.
 */
export async function killedDeployment(random: Random, kills: Kills): Promise<Deployment> {
  const directory = await temporaryDirectory();
  const dataDir = path.join(directory.path, 'data');
  const env = { DATA_DIR: dataDir, RATE_LIMIT: '100000', RATE_BURST: '100000', LOG_LEVEL: 'error' };
  const config = readConfig({ ...env, PORT: '0', METRICS_PORT: '0', DATABASE_POOL: '4' });
  const posts: Post[] = [];
  const start = async (post: Post): Promise<void> => {
    post.serving = await startServing(env);
  };
  for (let no = 0; no < 2; no += 1) {
    const post: Post = { serving: null, starting: Promise.resolve() };
    await start(post);
    posts.push(post);
  }
  let stopped = false;
  let plan: NodeJS.Timeout | undefined;

  const killService = (): void => {
    const post = posts[random.below(2)];
    const { serving } = post ?? {};
    if (!post || !serving || posts.some((one) => one.serving === null)) return;
    kills.service += 1;
    post.serving = null;
    post.starting = serving.end('SIGKILL').then(() => (stopped ? undefined : start(post)));
  };
  const killDatabase = (): void => {
    const pid = serverPid(dataDir);
    if (pid === null) return;
    kills.database += 1;
    try {
      killServer(pid);
    } catch {
      // It was gone already.
    }
  };

  const to = async ({ serving }: Post, method: string, url: string, sent?: Sent) =>
    serving ? await sendTo(serving.origin, method, url, sent) : ('nobody knows' as const);

  return {
    send: (method, url, sent) => {
      const post = posts[random.below(2)];
      return post ? to(post, method, url, sent) : Promise.resolve('nobody knows');
    },
    each: (method, url) => Promise.all(posts.map((post) => to(post, method, url))),
    async desk(work) {
      const database = await openDatabase(config, log, 'desk');
      try {
        const { base } = await createBase(database.sql, log);
        const parts = { sql: database.sql, base, config };
        return await work(deskOf(parts), parts);
      } finally {
        await database.close();
      }
    },
    kills: true,
    async between() {
      if (plan !== undefined || !random.percent(10)) return;
      const strike = random.percent(50) ? killService : killDatabase;
      plan = setTimeout(() => {
        plan = undefined;
        strike();
      }, random.below(400));
    },
    async stop() {
      stopped = true;
      clearTimeout(plan);
      await Promise.all(posts.map(({ starting }) => starting.catch(() => undefined)));
      for (const { serving } of posts) await serving?.end('SIGTERM');
      if (existsSync(dataDir)) await directory.remove();
    },
  };
}
