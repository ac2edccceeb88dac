import { connect, type Sql } from '../../src/platform/postgres/connect.ts';
import { asSuperuser, type TestDatabase } from './database.ts';

/** A step of a plan, as PostgreSQL reports it. */
export interface PlanNode {
  'Node Type': string;
  /** Table of a step that reads one. */
  'Relation Name'?: string;
  /** Executions of the node; 0 if it never ran. */
  'Actual Loops': number;
  Plans?: PlanNode[];
}

interface Explained {
  'Query Text': string;
  Plan: PlanNode & { 'Shared Hit Blocks': number; 'Shared Read Blocks': number };
}

/** An executed statement with its plan and the number of 8 KB blocks that it read. */
export interface Ran {
  text: string;
  plan: PlanNode;
  blocks: number;
}

/** Sums the blocks that statements read. */
export const blocksOf = (ran: readonly Ran[]): number =>
  ran.reduce((sum, { blocks }) => sum + blocks, 0);

const settings = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_buffers': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_format': 'json',
  'auto_explain.log_level': 'notice',
};

function ranIn(message: string): Ran | null {
  const at = message.indexOf('{');
  if (at < 0 || !message.includes(' plan:')) return null;
  const { Plan, 'Query Text': text } = JSON.parse(message.slice(at)) as Explained;
  return { text, plan: Plan, blocks: Plan['Shared Hit Blocks'] + Plan['Shared Read Blocks'] };
}

/**
 * Runs work on a connection whose server reports the blocks that each statement read. The count is
 * the same on any machine under any load.
 */
export async function openExplained({ url }: Pick<TestDatabase, 'url'>) {
  const name = new URL(url).pathname.slice(1);
  for (const [setting, value] of Object.entries(settings)) {
    await asSuperuser(`alter database ${name} set ${setting} = '${value}'`);
  }
  let ran: Ran[] = [];
  const sql = connect(url, {
    max: 1,
    applicationName: 'test plans',
    onnotice: ({ message = '' }) => {
      const one = ranIn(message);
      if (one) ran.push(one);
    },
  });
  return {
    async statementsOf(work: (sql: Sql) => Promise<unknown>): Promise<Ran[]> {
      ran = [];
      await work(sql);
      return ran;
    },
    close: () => sql.end({ timeout: 5 }),
  };
}
