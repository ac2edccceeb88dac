import { type Command, InvalidArgumentError } from 'commander';
import { readAccount } from '../accounts/index.ts';
import { formatDay } from '../kernel/dates.ts';
import { type MandateKind, remindHolders } from '../mandates/index.ts';
import { idIn } from './arguments.ts';
import { withBase } from './command.ts';
import { linksOf } from './links.ts';
import { type Answering, print } from './print.ts';

interface Options extends Answering {
  account: string;
  kind: MandateKind;
}

const kindIn = (text: string): MandateKind => {
  if (text === 'adhesion' || text === 'card_adhesion') return text;
  throw new InvalidArgumentError('It must be adhesion or card_adhesion.');
};

const remind =
  (name: string, newLink: boolean) =>
  (id: number, { account, kind, json = false }: Options): Promise<void> =>
    withBase(name, async ({ base, config, sql, actor }) => {
      const links = await linksOf({ base, config });
      const parts = { links, readAccount: (one: string) => readAccount(sql, one) };
      const key = { accountId: account, kind, id };
      const reminded = await remindHolders(base, parts)({ key, newLink, actor });
      const { recipient, url } = reminded;
      const good_through = formatDay(reminded.lastDay);
      print(
        [`the letter goes to ${recipient}, good through ${good_through}`, url],
        { account, kind, id, recipient, good_through, url },
        { json },
      );
    });

const ofMandate = (command: Command): Command =>
  command
    .requiredOption('--account <id>', 'the account')
    .option('--kind <kind>', 'adhesion or card_adhesion', kindIn, 'adhesion')
    .argument('<id>', 'the number of the mandate', idIn);

export function signingCommands(program: Command): void {
  const signing = program
    .command('signing')
    .description('letters that ask holders to sign their mandates');

  ofMandate(signing.command('resend'))
    .description('mail the letter once more, with the link that it had; prints the link')
    .action(remind('signing resend', false));

  ofMandate(signing.command('new-link'))
    .description('mail a new link, good for seven more days; the one before stops working')
    .action(remind('signing new-link', true));
}
