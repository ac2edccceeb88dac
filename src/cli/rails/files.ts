import { type Command, Option } from 'commander';
import { formatDay, isoDateTime } from '../../kernel/dates.ts';
import { decimalText } from '../../kernel/money.ts';
import type { Acting } from '../../platform/base.ts';
import {
  debitRemarks,
  isPart,
  listFiles,
  type RailFile,
  type RailLine,
  remarks,
  showFile,
  shredFile,
  shredPart,
} from '../../rails/index.ts';
import { idIn } from '../arguments.ts';
import { withBase } from '../command.ts';
import { type Answering, print, printRows } from '../print.ts';

const filesListed = 100;
const maxLines = 1_000;

const listedFile = (file: RailFile) => ({
  id: file.id,
  rail: file.rail,
  direction: file.direction,
  date: formatDay(file.file_date),
  name: file.name,
  state: file.state,
  lines: file.lines,
  total: decimalText(file.total),
  suspense: file.summary?.suspense ?? null,
  created_at: isoDateTime(file.created_at),
});

const listedLine = (line: RailLine) => ({
  line: line.line,
  outcome: line.outcome,
  remarks: line.remarks.join(','),
  account: line.account_id,
  request: line.request_id,
  code: line.code,
  amount: decimalText(line.amount),
  paid_at: isoDateTime(line.paid_at),
  reason: [line.reject_code, line.note].filter((one) => one !== null).join(': ') || null,
});

interface ShowOptions {
  remark?: (typeof remarks)[number] | (typeof debitRemarks)[number];
  after: number;
  json?: boolean;
}

async function shred(acting: Acting, file: string): Promise<{ file: string; id: number | null }> {
  if (isPart(file)) {
    await shredPart(acting.sql, file);
    return { file, id: null };
  }
  const { id } = await shredFile(acting, file);
  return { file, id };
}

/** Shreds files. Reports the removed ones even if another one cannot be removed. */
async function shredAll(acting: Acting, files: string[], options: Answering): Promise<void> {
  const gone: Awaited<ReturnType<typeof shred>>[] = [];
  try {
    for (const file of files) gone.push(await shred(acting, file));
  } finally {
    const text = gone.map(({ file, id }) => {
      const what = id === null ? 'left by an interrupted export' : `file ${id}`;
      return `${file} (${what}) is overwritten and deleted`;
    });
    if (gone.length > 0) print(text, { shredded: gone }, options);
  }
}

/** Adds the commands that show imported and exported files, and shred them on disk. */
export function fileCommands(rails: Command): void {
  rails
    .command('list')
    .description(`list the last ${filesListed} files imported or exported`)
    .option('--json', 'as JSON')
    .action((options: { json?: boolean }) =>
      withBase('rails list', async ({ sql }) => {
        printRows((await listFiles(sql, filesListed)).map(listedFile), options);
      }),
    );

  rails
    .command('show')
    .description(`list up to ${maxLines} lines of a file that need attention`)
    .argument('<id>', 'the number that `rails list` shows', idIn)
    .option('--after <line>', 'only lines after this one', idIn, 0)
    .addOption(
      new Option('--remark <remark>', 'only lines with this remark').choices([
        ...new Set([...remarks, ...debitRemarks]),
      ]),
    )
    .option('--json', 'as JSON')
    .action((fileId: number, options: ShowOptions) =>
      withBase('rails show', async ({ sql }) => {
        const { remark = null, after } = options;
        const query = { fileId, remark, after, limit: maxLines };
        printRows((await showFile(sql, query)).map(listedLine), options);
      }),
    );

  rails
    .command('shred')
    .description('overwrite and delete exported, imported or partly exported files')
    .argument('<file...>', 'the files')
    .action((files: string[], options: Answering) =>
      withBase('rails shred', ({ base, actor }) => shredAll({ ...base, actor }, files, options)),
    );
}
