import { type Command, InvalidArgumentError } from 'commander';
import { originOf } from '../config.ts';
import { discardLetter, listLetters } from '../connectors/index.ts';
import { isoDateTime } from '../kernel/dates.ts';
import { type BaseContext, withBase } from './command.ts';
import { type Answering, print, printRows } from './print.ts';

const letterIn = (text: string): number => {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError('It must be a number.');
  return Number(text);
};

/** Replays a dead letter with the whole service, as if it just arrived. */
async function replay(context: BaseContext, id: number): Promise<void> {
  const { base, config, sql, log, actor } = context;
  const { createParts } = await import('../composition/parts.ts');
  const { noticePartsOf } = await import('../composition/notices.ts');
  const { createMetrics } = await import('../platform/metrics.ts');
  const { replayLetter } = await import('../connectors/http.ts');
  const origin = originOf(config, config.PORT);
  const parts = await createParts(config, { sql, log, metrics: createMetrics(), origin });
  try {
    await parts.connectors.refresh();
    await replayLetter(noticePartsOf(parts), { ...base, actor }, id);
  } finally {
    await parts.connectors.close();
  }
}

export function letterCommands(connectors: Command): void {
  connectors
    .command('letters')
    .description('list notices that this release cannot read, oldest first')
    .option('--after <id>', 'begin behind this one', letterIn, 0)
    .option('--all', 'also those that were replayed or discarded')
    .option('--json', 'as JSON')
    .action((options: Answering & { after: number; all?: boolean }) =>
      withBase('connectors letters', async ({ sql }) => {
        const page = { all: options.all === true, after: options.after, limit: 100 };
        const rows = (await listLetters(sql, page)).map(({ heard_at, decided_at, ...row }) => ({
          ...row,
          heard_at: isoDateTime(heard_at),
          decided_at: decided_at && isoDateTime(decided_at),
        }));
        printRows(rows, options);
      }),
    );

  connectors
    .command('replay')
    .description('do what a dead letter says, once this release can read it')
    .argument('<id>', 'its number', letterIn)
    .action((id: number, options: Answering) =>
      withBase('connectors replay', async (context) => {
        await replay(context, id);
        print(`dead letter ${id} is replayed`, { id, state: 'replayed' }, options);
      }),
    );

  connectors
    .command('discard')
    .description('close a dead letter that nobody needs')
    .argument('<id>', 'its number', letterIn)
    .requiredOption('--reason <text>', 'why, in one line')
    .action((id: number, options: Answering & { reason: string }) =>
      withBase('connectors discard', async ({ base, actor }) => {
        await discardLetter({ ...base, actor }, id, options.reason);
        print(`dead letter ${id} is discarded`, { id, state: 'discarded' }, options);
      }),
    );
}
