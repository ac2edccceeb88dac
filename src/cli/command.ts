import { hostname, userInfo } from 'node:os';
import type { Command } from 'commander';
import { createBase } from '../composition/base.ts';
import { type Config, readConfig } from '../config/index.ts';
import { type Database, openDatabase } from '../database.ts';
import type { Actor } from '../platform/actor.ts';
import type { Base } from '../platform/base.ts';
import type { ServiceClocks } from '../platform/clocks.ts';
import { refuseOtherEnvironment } from '../platform/environment.ts';
import { createLog, type Log, lazyLog } from '../platform/log.ts';
import type { Sql } from '../platform/postgres/connect.ts';
import { doing } from '../platform/postgres/deadlines.ts';
import { asksForJson, type Invocation, invocation } from './invocation.ts';

export interface CommandContext {
  config: Config;
  log: Log;
  sql: Sql;
  /** Runs as the owner of the tables. */
  migrate: Database['migrate'];
  pending: Database['pending'];
  distribute: Database['distribute'];
  embedded: Database['embedded'];
}

export interface BaseContext extends CommandContext {
  base: Base;
  /** The user, machine and command, for events. */
  actor: Actor;
  clocks: ServiceClocks;
}

/** Logs warnings by default. With --json logs nothing, so that stderr contains only the refusal. */
function quiet(config: Config, { args, env, stderr }: Invocation): Log {
  const level = asksForJson(args) ? 'silent' : env.LOG_LEVEL ? config.LOG_LEVEL : 'warn';
  return lazyLog(() => (stderr.isTTY ? createLog(level) : createLog(level, stderr)));
}

/** Connects to the running database or starts it, runs the command, and closes it. */
export async function withDatabase<T>(
  name: string,
  command: (context: CommandContext) => Promise<T>,
): Promise<T> {
  const own = invocation();
  const config = readConfig(own.env);
  const log = quiet(config, own);
  const database = await openDatabase(config, log, name);
  try {
    const { sql, migrate, pending, distribute, embedded } = database;
    return await doing('command', () =>
      command({ config, log, sql, migrate, pending, distribute, embedded }),
    );
  } finally {
    await database.close();
  }
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // In a container, the user id may have no name.
    return String(process.getuid?.() ?? 'unknown');
  }
}

/**
 * Returns the actor of a command. Uses only the command's words, because arguments may be secret.
 */
const operatorOf = (command: string): Actor => ({
  kind: 'operator',
  user: userName(),
  host: hostname(),
  command,
});

/** Returns a subcommand's words, without the program's name. */
export const nameBelow = (parent: Command, word: string): string =>
  parent.parent === null ? word : `${parent.name()} ${word}`;

/** Runs a command that needs this release's schema, on a database of its environment. */
export const withBase = <T>(
  name: string,
  command: (context: BaseContext) => Promise<T>,
): Promise<T> =>
  withDatabase(name, async (context) => {
    const missing = await context.pending();
    if (missing.length > 0) {
      throw new Error(
        `The database lacks ${missing.length} migrations of this release: run \`recaudo migrate\`.`,
      );
    }
    const { config, sql, log } = context;
    await refuseOtherEnvironment(sql, config.ENVIRONMENT);
    const keys = async () => (await import('../composition/keys.ts')).auditSealKeys(config, sql);
    const { base, clocks } = await createBase(sql, log, { keys });
    return await command({ ...context, base, clocks, actor: operatorOf(name) });
  });
