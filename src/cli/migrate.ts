import type { Command } from 'commander';
import { withDatabase } from './command.ts';
import { type Answering, print } from './print.ts';

export function migrateCommand(program: Command): void {
  program
    .command('migrate')
    .description('migrate the database to the schema of this release')
    .action((options: Answering) =>
      withDatabase('migrate', async ({ migrate }) => {
        const { applied } = await migrate();
        const text = applied.length > 0 ? applied.map((name) => `applied ${name}`) : 'up to date';
        print(text, { applied }, options);
      }),
    );
}
